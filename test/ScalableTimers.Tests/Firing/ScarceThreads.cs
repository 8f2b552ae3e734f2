using System.Collections.Concurrent;
using ScalableTimers.Driving;
using ScalableTimers.Firing;

namespace ScalableTimers.Tests.Firing;

/// <summary>
/// Threads near a limit on processes or memory: some cannot be started, and the pool may fail too.
/// </summary>
/// <param name="isRefused">Whether a start fails, by its number, counted from 1.</param>
internal sealed class ScarceThreads(Func<int, bool> isRefused) : ThreadSupply
{
    private int _starts;
    private int _turns;

    /// <summary>Whether the pool fails for a turn, by its number, counted from 1.</summary>
    internal Func<int, bool> IsTurnRefused { get; init; } = static _ => false;

    /// <summary>Whether the pool fails for everything but turns.</summary>
    internal bool RefusesWarnings { get; init; }

    /// <summary>Whether a thread that is started runs.</summary>
    internal bool Runs { get; init; } = true;

    internal int Turns => Volatile.Read(ref _turns);

    internal ConcurrentQueue<Thread> Started { get; } = new();

    internal int Starts => Volatile.Read(ref _starts);

    internal ManualResetEventSlim HasStarted { get; } = new();

    internal override void Start(Thread thread)
    {
        if (isRefused(Interlocked.Increment(ref _starts)))
        {
            throw new InsufficientMemoryException("No thread, says the test.");
        }

        Started.Enqueue(thread);
        if (Runs)
        {
            base.Start(thread);
        }

        HasStarted.Set();
    }

    internal override void Queue(IThreadPoolWorkItem item)
    {
        if (item is ThreadWakeSource ? IsTurnRefused(Interlocked.Increment(ref _turns)) : RefusesWarnings)
        {
            throw new InsufficientMemoryException("No turn, says the test.");
        }

        base.Queue(item);
    }
}

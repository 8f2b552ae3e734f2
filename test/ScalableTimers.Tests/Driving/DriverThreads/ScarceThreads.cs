using System.Collections.Concurrent;
using ScalableTimers.Driving.DriverThreads;

namespace ScalableTimers.Tests.Driving.DriverThreads;

/// <summary>Threads as they are near a limit on processes or memory: some cannot be started, and the pool may fail too.</summary>
/// <param name="isRefused">Whether a start fails, by its number, counted from 1.</param>
internal sealed class ScarceThreads(Func<int, bool> isRefused) : ThreadSupply
{
    private int _starts;
    private int _turns;

    /// <summary>Whether the pool fails for a turn, by its number, counted from 1.</summary>
    internal Func<int, bool> IsTurnRefused { get; init; } = static _ => false;

    /// <summary>Whether the pool queues the turns for which it fails, as .NET's does when it cannot start a thread for them.</summary>
    internal bool QueuesWhatItRefuses { get; init; }

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
        base.Start(thread);
        HasStarted.Set();
    }

    internal override void Queue(IThreadPoolWorkItem turn)
    {
        var fails = IsTurnRefused(Interlocked.Increment(ref _turns));
        if (!fails || QueuesWhatItRefuses)
        {
            base.Queue(turn);
        }

        if (fails)
        {
            throw new InsufficientMemoryException("No turn, says the test.");
        }
    }
}

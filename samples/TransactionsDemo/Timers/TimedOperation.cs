using System.Diagnostics;
using ScalableTimers;

namespace TransactionsDemo.Timers;

/// <summary>
/// An operation with a time limit. Either it ends in time and its timer is cancelled, or its timer fires. It is started
/// once.
/// </summary>
/// <remarks>
/// Operations derive from it instead of owning it. So measuring a timer allocates nothing that could hide the timer's
/// own allocations.
/// </remarks>
internal abstract class TimedOperation
{
    private const int Running = 1;
    private const int EndedInTime = 2;
    private const int TimedOut = 3;

    private int _state;
    private TimeSpan _dueTime;
    private long _startedAt;
    private TimerTally? _tally;

    /// <summary>For timers that are cancelled through a token.</summary>
    internal CancellationTokenSource? Source { get; set; }

    /// <summary>For timers that are cancelled through a handle.</summary>
    internal IDisposable? Handle { get; set; }

    /// <summary>For timers that a <see cref="TimerService"/> has scheduled.</summary>
    internal ScheduledTimer Scheduled { get; set; }

    /// <summary>Called at most once, on a thread of the pool, with no lock held.</summary>
    protected abstract void OnTimeout();

    internal void Begin(TimerTally tally, TimeSpan dueTime)
    {
        tally.CountScheduled();
        _tally = tally;
        _dueTime = dueTime;
        _startedAt = Stopwatch.GetTimestamp();
        Volatile.Write(ref _state, Running);
    }

    internal bool TryEndInTime()
    {
        if (Interlocked.CompareExchange(ref _state, EndedInTime, Running) != Running)
        {
            return false;
        }

        _tally!.CountCancelled();
        return true;
    }

    internal void Fire()
    {
        var elapsed = Stopwatch.GetElapsedTime(_startedAt);
        if (Interlocked.CompareExchange(ref _state, TimedOut, Running) == Running)
        {
            _tally!.CountFired(_dueTime, elapsed);
            OnTimeout();
        }
    }
}

using ScalableTimers.Clock;

namespace ScalableTimers.Timeouts;

/// <summary>The source of one bucket, and the timer that cancels it.</summary>
internal sealed class TimeoutTokenSource : CancellationTokenSource
{
    private readonly TimeoutTokens _owner;
    private readonly ITimer _timer;

    internal TimeoutTokenSource(TimeoutTokens owner, long index, TimeProvider timers)
    {
        _owner = owner;
        Index = index;

        // The timer must not capture the AsyncLocals of the code that happens to ask first.
        using var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();
        _timer = timers.CreateTimer(
            static source => ((TimeoutTokenSource)source!).Wake(),
            this,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan);
        Wait();
    }

    internal long Index { get; }

    /// <summary>Ends the timer of a source that nobody has found.</summary>
    internal void Drop() => _timer.Dispose();

    protected override void Dispose(bool disposing)
    {
        _timer.Dispose();
        base.Dispose(disposing);
    }

    // The bucket's end may lie beyond the longest wait of one timer. After the service's end, a clock's own timer may
    // also fire early.
    private void Wake()
    {
        if (_owner.UntilEnd(Index) > TimeSpan.Zero)
        {
            Wait();
        }
        else
        {
            _timer.Dispose();
            _owner.End(this);
        }
    }

    private void Wait()
    {
        var wait = _owner.UntilEnd(Index);
        _timer.Change(wait < DueTime.LongestTimer ? wait : DueTime.LongestTimer, Timeout.InfiniteTimeSpan);
    }
}

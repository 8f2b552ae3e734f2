using ScalableTimers.Clock;

namespace ScalableTimers.Timeouts;

/// <summary>The source of one bucket, and the timer that cancels it.</summary>
internal sealed class TimeoutTokenSource(TimeoutTokens owner, long index) : CancellationTokenSource
{
    private const int Ahead = 0;
    private const int Used = 1;
    private const int Dropped = 2;

    // Guards
    //   _state   compare-exchange, only from Ahead to another value: so when a source is dropped, nobody has its token
    //            and nobody will ever get it
    //   _timer   the thread that creates the source, before it is published
    private ITimer? _timer;
    private int _state;

    internal long Index => index;

    /// <summary>Whether a caller has the token. A thread may still see an older value.</summary>
    internal bool IsUsed => _state == Used;

    /// <summary>Marks the source as used. Must be called before the token is handed out.</summary>
    /// <param name="isFirst">Whether the token is handed out for the first time.</param>
    /// <returns>False if the source has been dropped.</returns>
    internal bool TryUse(out bool isFirst)
    {
        var state = Interlocked.CompareExchange(ref _state, Used, Ahead);
        isFirst = state == Ahead;
        return state != Dropped;
    }

    /// <summary>Ends a source that nobody has used.</summary>
    internal bool TryDrop()
    {
        var isDropped = Interlocked.CompareExchange(ref _state, Dropped, Ahead) == Ahead;
        if (isDropped)
        {
            _timer?.Dispose();
        }

        return isDropped;
    }

    /// <summary>
    /// Sets the timer. Called before other threads can find the source, so that no token is handed out that is never
    /// cancelled.
    /// </summary>
    internal void Arm(TimeProvider timers)
    {
        // The timer must not capture the AsyncLocals of the code that happens to ask first.
        using var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();
        _timer = timers.CreateTimer(
            static source => ((TimeoutTokenSource)source!).Wake(),
            this,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan);
        Wait();
    }

    protected override void Dispose(bool disposing)
    {
        _timer?.Dispose();
        base.Dispose(disposing);
    }

    // The bucket's end may lie beyond the longest wait of one timer. After the service's end, a clock's own timer may
    // also fire early.
    private void Wake()
    {
        if (owner.UntilEnd(index) > TimeSpan.Zero)
        {
            Wait();
        }
        else
        {
            _timer!.Dispose();
            owner.End(this);
        }
    }

    private void Wait()
    {
        var wait = owner.UntilEnd(index);
        _timer!.Change(wait < DueTime.LongestTimer ? wait : DueTime.LongestTimer, Timeout.InfiniteTimeSpan);
    }
}

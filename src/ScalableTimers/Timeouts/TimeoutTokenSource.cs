namespace ScalableTimers.Timeouts;

/// <summary>The source of one bucket, and the timer that cancels it.</summary>
internal sealed class TimeoutTokenSource(TimeoutTokens owner, long index) : CancellationTokenSource
{
    private ITimer? _timer;

    internal void Arm(TimeProvider timers)
    {
        // Whoever asks first must not lend the source its AsyncLocals.
        using var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();
        Volatile.Write(ref _timer, timers.CreateTimer(static source => ((TimeoutTokenSource)source!).Wake(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan));
        Wait();
    }

    protected override void Dispose(bool disposing)
    {
        _timer?.Dispose();
        base.Dispose(disposing);
    }

    // The bucket's end may lie beyond what one timer can wait, and a clock's own timer, after the service's end, may come early.
    private void Wake()
    {
        if (owner.UntilEnd(index) > TimeSpan.Zero)
        {
            Wait();
        }
        else
        {
            _timer!.Dispose();
            owner.End(index, this);
        }
    }

    private void Wait()
    {
        var wait = owner.UntilEnd(index);
        _timer!.Change(wait < DueTime.LongestTimer ? wait : DueTime.LongestTimer, Timeout.InfiniteTimeSpan);
    }
}

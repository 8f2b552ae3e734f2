using ScalableTimers.Clock;

namespace ScalableTimers.Timeouts;

/// <summary>The source of one bucket, and the timer that cancels it.</summary>
internal sealed class TimeoutTokenSource(TimeoutTokens owner, long index) : CancellationTokenSource
{
    private const int Ahead = 0;
    private const int Used = 1;
    private const int Dropped = 2;

    // Guards
    //   _state   compare-exchange, away from Ahead only: whoever drops a source knows that nobody has its token, nor
    //            ever will
    //   _timer   whoever makes the source, before it is published
    private ITimer? _timer;
    private int _state;

    internal long Index => index;

    /// <summary>Whether somebody has its token.</summary>
    internal bool IsUsed => Volatile.Read(ref _state) == Used;

    /// <summary>To be asked before the token is given away.</summary>
    /// <param name="isFirst">Whether nobody had it before.</param>
    /// <returns>False: it has been dropped.</returns>
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
    /// Sets the timer. Before anybody else can find the source, so that no token is given away that is never cancelled.
    /// </summary>
    internal void Arm(TimeProvider timers)
    {
        // Whoever asks first must not lend the source its AsyncLocals.
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

    // The bucket's end may lie beyond what one timer can wait, and a clock's own timer, after the service's end, may
    // come early.
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

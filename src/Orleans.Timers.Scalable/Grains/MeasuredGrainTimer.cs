namespace Orleans.Timers.Scalable;

/// <summary>A grain timer whose ticks are measured, and cancelled when they take too long.</summary>
/// <remarks>
/// Ticks of a timer do not overlap. A change may come from any thread; if it comes beside the end of a tick, the
/// lateness of the next tick is counted from either due time.
/// </remarks>
internal sealed class MeasuredGrainTimer(
    GrainTimerMetrics metrics,
    IGrainContext grain,
    Func<CancellationToken, Task> callback,
    TimeSpan dueTime,
    TimeSpan period,
    bool takesToken) : IGrainTimer
{
    private TimeSpan _dueTime = dueTime;
    private TimeSpan _period = period;
    private long _waitsSince = metrics.Now;
    private long _tickBegan;
    private bool _isTicking;
    private bool _isChanged;

    /// <summary>Gets or sets Orleans' timer. It is an <see cref="IGrainTimer"/> too.</summary>
    internal IDisposable? Inner { get; set; }

    public void Change(TimeSpan dueTime, TimeSpan period)
    {
        ((IGrainTimer)Inner!).Change(dueTime, period);
        (_dueTime, _period, _isChanged) = (dueTime, period, true);
        if (!_isTicking)
        {
            _waitsSince = metrics.Now;
        }
    }

    public void Dispose() => Inner?.Dispose();

    internal async Task Tick(CancellationToken cancellationToken)
    {
        _tickBegan = metrics.Now;
        (_isTicking, _isChanged) = (true, false);
        metrics.WasLate(GrainTimerMetrics.Timer, grain, metrics.Since(_waitsSince) - _dueTime);

        var timers = metrics.Timers;
        var limit = takesToken ? metrics.Options.LongestTick : null;
        using var lease = limit is { } longest ? timers.RentTimeout(longest, cancellationToken) : default;
        var overrun = metrics.Options.OverrunAfter(_period) is { } after
            ? timers.Schedule(static timer => ((MeasuredGrainTimer)timer!).Overruns(), this, after)
            : default;
        var cancellation = limit is { } time
            ? timers.Schedule(static timer => ((MeasuredGrainTimer)timer!).IsCancelled(), this, time)
            : default;
        try
        {
            await callback(limit is null ? cancellationToken : lease.Token);
        }
        finally
        {
            overrun.Cancel();
            cancellation.Cancel();
            metrics.Took(GrainTimerMetrics.Timer, grain, metrics.Since(_tickBegan));

            // The next period begins at the end of a tick, unless the tick has changed its timer.
            _dueTime = _isChanged ? _dueTime : _period;
            _waitsSince = metrics.Now;
            _isTicking = false;
        }
    }

    private void Overruns() => metrics.Overran(grain, metrics.Since(_tickBegan), _period);

    private void IsCancelled() => metrics.Cancelled(grain, metrics.Since(_tickBegan));
}

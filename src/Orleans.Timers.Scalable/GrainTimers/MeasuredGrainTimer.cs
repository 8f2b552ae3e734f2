namespace Orleans.Timers.Scalable.GrainTimers;

/// <summary>A grain timer whose ticks are measured, and cancelled when they take too long.</summary>
/// <remarks>
/// Ticks of a timer do not overlap. A change may come from any thread; if it comes beside the end of a tick, the
/// lateness of the next tick is counted from either due time.
/// </remarks>
internal sealed class MeasuredGrainTimer(
    GrainTimerMetrics metrics,
    IGrainContext grain,
    Func<CancellationToken, Task?> callback,
    Func<string> describe,
    TimeSpan dueTime,
    TimeSpan period,
    bool takesToken) : IGrainTimer
{
    /// <summary>A timer fires later than this only if the process stands still.</summary>
    private static readonly TimeSpan s_surelyFired = TimeSpan.FromSeconds(1);

    private TimeSpan _dueTime = dueTime;
    private TimeSpan _period = period;
    private long _waitsSince = metrics.Now;
    private long _tickBegan;
    private bool _isTicking;
    private TickSource? _source;

    // A change that came when the timer was due or ticked.
    private bool _isChanged;
    private TimeSpan _changedDueTime;
    private long _changed;
    private TimeSpan _overdue;

    /// <summary>Gets or sets Orleans' timer. It is an <see cref="IGrainTimer"/> too.</summary>
    internal IDisposable? Inner { get; set; }

    public void Change(TimeSpan dueTime, TimeSpan period)
    {
        ((IGrainTimer)Inner!).Change(dueTime, period);
        var overdue = metrics.Since(_waitsSince) - _dueTime;
        _period = period;
        if (_isTicking || (_dueTime >= TimeSpan.Zero && overdue >= TimeSpan.Zero))
        {
            // A tick that has been queued comes all the same, and the new due time is counted from its end.
            _overdue = _isChanged ? _overdue : overdue;
            (_changedDueTime, _changed) = (dueTime, metrics.Now);
            _isChanged = true;
        }
        else
        {
            (_dueTime, _waitsSince) = (dueTime, metrics.Now);
        }
    }

    public void Dispose() => Inner?.Dispose();

    /// <summary>What Orleans logs of a tick that fails, in which this object is the state.</summary>
    public override string ToString() => describe();

    internal async Task Tick(CancellationToken cancellationToken)
    {
        _tickBegan = metrics.Now;
        if (_isChanged && !WasQueued())
        {
            (_dueTime, _waitsSince, _isChanged) = (_changedDueTime, _changed, false);
        }

        _isTicking = true;
        metrics.WasLate(grain, metrics.Since(_waitsSince) - _dueTime);

        var timers = metrics.Timers;
        var overrun = GrainTimerOptions.OverrunAfter(_period) is { } after
            ? timers.Schedule(static timer => ((MeasuredGrainTimer)timer!).Overruns(), this, after)
            : default;
        var limit = takesToken ? metrics.MaxTickDuration : null;
        var source = limit is null ? null : _source ??= new TickSource(this, cancellationToken);
        var cancellation = limit is { } longest
            ? timers.Schedule(static source => ((TickSource)source!).TakesTooLong(), source, longest)
            : default;
        try
        {
            // Orleans' timers take a callback that returns no task.
            if (callback(source?.Token ?? cancellationToken) is { } tick)
            {
                await tick;
            }
        }
        finally
        {
            overrun.Cancel();
            if (!cancellation.Cancel())
            {
                // This tick's token is cancelled, or will be in a moment.
                _source = null;
            }

            metrics.Took(grain, metrics.Since(_tickBegan));

            // The next period begins at the end of a tick, unless the timer has been changed.
            _dueTime = _isChanged ? _changedDueTime : _period;
            _waitsSince = metrics.Now;
            (_isChanged, _isTicking) = (false, false);
        }
    }

    /// <summary>Whether the tick that begins had been queued when the timer was changed.</summary>
    private bool WasQueued() =>
        _changedDueTime < TimeSpan.Zero || metrics.Since(_changed) < _changedDueTime || _overdue >= s_surelyFired;

    private void Overruns() => metrics.Overran(grain, metrics.Since(_tickBegan), _period);

    /// <summary>
    /// The source of the token that ticks get. As without measuring, a timer's ticks have the same token. It is
    /// cancelled when the timer is disposed, and work that a tick has begun may keep it. Only a tick that takes too
    /// long uses it up.
    /// </summary>
    private sealed class TickSource : CancellationTokenSource
    {
        private readonly MeasuredGrainTimer _timer;
        private readonly CancellationTokenRegistration _disposal;

        internal TickSource(MeasuredGrainTimer timer, CancellationToken disposed)
        {
            _timer = timer;
            _disposal = disposed.UnsafeRegister(static source => ((TickSource)source!).Cancel(), this);
        }

        internal void TakesTooLong()
        {
            _ = _disposal.Unregister();
            _timer.Cancel(this);
        }
    }

    private void Cancel(TickSource source) => metrics.Cancel(grain, metrics.Since(_tickBegan), source);
}

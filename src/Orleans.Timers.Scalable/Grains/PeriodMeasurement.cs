namespace Orleans.Timers.Scalable;

/// <summary>Measures the loop of a <see cref="IGrainPeriodicTimer"/>: a tick is the code between two waits.</summary>
internal sealed class PeriodMeasurement
{
    private readonly GrainTimerMetrics _metrics;
    private readonly IGrainContext _grain;
    private TimeSpan _period;
    private TimeSpan _dueTime;
    private long _gridBegan;
    private long? _tickBegan;

    internal PeriodMeasurement(GrainTimerMetrics metrics, IGrainContext grain, TimeSpan period)
    {
        (_metrics, _grain) = (metrics, grain);
        Begin(period);
    }

    /// <summary>Begins a grid of periods.</summary>
    internal void Begin(TimeSpan period) => (_period, _dueTime, _gridBegan) = (period, period, _metrics.Now);

    internal void BeginTick()
    {
        _tickBegan = _metrics.Now;
        var age = _metrics.Since(_gridBegan);
        if (_period <= TimeSpan.Zero || age < _dueTime)
        {
            return;
        }

        _metrics.WasLate(GrainTimerMetrics.Period, _grain, age - _dueTime);

        // Moments that passed meanwhile have merged into this tick.
        _dueTime = _period * (Math.Floor(age / _period) + 1);
    }

    internal void EndTick()
    {
        if (_tickBegan is { } begun)
        {
            _metrics.Took(GrainTimerMetrics.Period, _grain, _metrics.Since(begun));
            _tickBegan = null;
        }
    }
}

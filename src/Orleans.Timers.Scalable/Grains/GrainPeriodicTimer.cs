using System.Runtime.CompilerServices;
using ScalableTimers.Timers;

namespace Orleans.Timers.Scalable;

/// <summary>.NET's periodic timer on the service's clock, disposed when its activation deactivates.</summary>
internal sealed class GrainPeriodicTimer : IGrainPeriodicTimer
{
    private readonly PeriodicTimer _timer;
    private readonly CancellationToken _ended;
    private readonly DelayObserver? _observer;
    private readonly CancellationTokenRegistration _end;
    private readonly PeriodMeasurement? _measurement;

    internal GrainPeriodicTimer(
        TimeSpan period,
        TimeProvider clock,
        DelayObserver? observer,
        CancellationToken ended,
        GrainTimerMetrics? metrics = null,
        IGrainContext? grain = null)
    {
        _measurement = metrics is null ? null : new PeriodMeasurement(metrics, grain!, period);
        _timer = new PeriodicTimer(period, clock);
        _ended = ended;
        _observer = observer;
        _end = ended.UnsafeRegister(static timer => ((PeriodicTimer)timer!).Dispose(), _timer);
    }

    public TimeSpan Period
    {
        get => _timer.Period;
        set
        {
            _timer.Period = value;
            _measurement?.Begin(value);
        }
    }

    public ValueTask<bool> WaitForNextTickAsync(CancellationToken cancellationToken = default)
    {
        // The token is cancelled before the registration runs, because that is a work item.
        if (_ended.IsCancellationRequested)
        {
            _timer.Dispose();
        }

        if (_measurement is null)
        {
            return Wait(cancellationToken);
        }

        _measurement.EndTick();
        return Measured(Wait(cancellationToken), _measurement);
    }

    public void Dispose()
    {
        _end.Unregister();
        _timer.Dispose();
    }

    private ValueTask<bool> Wait(CancellationToken cancellationToken)
    {
        var tick = _timer.WaitForNextTickAsync(cancellationToken);
        return _observer is null || tick.IsCompleted ? tick : Observed(tick, _observer);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<bool> Measured(ValueTask<bool> tick, PeriodMeasurement measurement)
    {
        // Resumes in the grain, so that the wait for its turn counts.
        var isTick = await tick;
        if (isTick)
        {
            measurement.BeginTick();
        }

        return isTick;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<bool> Observed(ValueTask<bool> tick, DelayObserver observer)
    {
        observer.OnBegun();
        try
        {
            return await tick.ConfigureAwait(false);
        }
        finally
        {
            observer.OnEnded();
        }
    }
}

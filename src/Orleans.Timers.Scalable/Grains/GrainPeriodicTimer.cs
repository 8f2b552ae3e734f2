using System.Runtime.CompilerServices;
using ScalableTimers.Timers;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>.NET's periodic timer on the service's clock, disposed when its activation deactivates.</summary>
internal sealed class GrainPeriodicTimer : IGrainPeriodicTimer
{
    private readonly PeriodicTimer _timer;
    private readonly CancellationToken _ended;
    private readonly DelayObserver? _observer;
    private readonly CancellationTokenRegistration _end;

    internal GrainPeriodicTimer(
        TimeSpan period, TimeProvider clock, DelayObserver? observer, CancellationToken ended)
    {
        _timer = new PeriodicTimer(period, clock);
        _ended = ended;
        _observer = observer;
        _end = ended.UnsafeRegister(static timer => ((PeriodicTimer)timer!).Dispose(), _timer);
    }

    public TimeSpan Period
    {
        get => _timer.Period;
        set => _timer.Period = value;
    }

    public ValueTask<bool> WaitForNextTickAsync(CancellationToken cancellationToken = default)
    {
        // The token is cancelled before the registration runs, because that takes a work item.
        if (_ended.IsCancellationRequested)
        {
            _timer.Dispose();
        }

        var tick = _timer.WaitForNextTickAsync(cancellationToken);
        return _observer is null || tick.IsCompleted ? tick : Observed(tick, _observer);
    }

    public void Dispose()
    {
        _end.Unregister();
        _timer.Dispose();
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

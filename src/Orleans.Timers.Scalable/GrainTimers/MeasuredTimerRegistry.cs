using Orleans.Timers.Scalable.Grains;

namespace Orleans.Timers.Scalable.GrainTimers;

/// <summary>Measures the timers that grains register.</summary>
/// <remarks>
/// Orleans' diagnostic events tell the begin and end of ticks, but not when a tick was due after a change of its timer,
/// and they cannot cancel a tick. All timers of grains come through this interface.
/// </remarks>
internal sealed class MeasuredTimerRegistry(ITimerRegistry registry, GrainTimerMetrics metrics) : ITimerRegistry
{
#pragma warning disable CS0618, CS0672 // Grain.RegisterTimer is obsolete and still in use.
    public IDisposable RegisterTimer(
        IGrainContext grainContext, Func<object?, Task> callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        if (!IsMeasured(grainContext))
        {
            return registry.RegisterTimer(grainContext, callback, state, dueTime, period);
        }

        var timer = new MeasuredGrainTimer(
            metrics,
            grainContext,
            _ => callback(state),
            () => Describe(callback, state),
            dueTime,
            period,
            takesToken: false);
        timer.Inner = registry.RegisterTimer(
            grainContext,
            static timer => ((MeasuredGrainTimer)timer!).Tick(CancellationToken.None),
            timer,
            dueTime,
            period);
        return timer;
    }
#pragma warning restore CS0618, CS0672

    public IGrainTimer RegisterGrainTimer<TState>(
        IGrainContext grainContext,
        Func<TState, CancellationToken, Task> callback,
        TState state,
        GrainTimerCreationOptions options)
    {
        ArgumentNullException.ThrowIfNull(callback);
        if (!IsMeasured(grainContext) || state is ActivationPin)
        {
            return registry.RegisterGrainTimer(grainContext, callback, state, options);
        }

        var timer = new MeasuredGrainTimer(
            metrics,
            grainContext,
            cancellationToken => callback(state, cancellationToken),
            () => Describe(callback, state),
            options.DueTime,
            options.Period,
            takesToken: true);
        timer.Inner = registry.RegisterGrainTimer(
            grainContext,
            static (timer, cancellationToken) => timer.Tick(cancellationToken),
            timer,
            options);
        return timer;
    }

    // As Orleans describes a timer.
    private static string Describe(Delegate callback, object? state) =>
        $"Callback: '{callback.Target}.{callback.Method}'. State: '{state}'";

    // Timers of Orleans' system targets are none of a grain's.
    private static bool IsMeasured(IGrainContext? grain) => grain is not null && !grain.GrainId.IsSystemTarget();
}

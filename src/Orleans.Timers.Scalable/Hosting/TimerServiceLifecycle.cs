using Microsoft.Extensions.Logging;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Ends delays before the silo deactivates its grains. The container disposes the service.</summary>
/// <remarks>
/// It takes <see cref="ActivationDelays"/> so that these exist, and observe deactivations, from the start.
/// </remarks>
#pragma warning disable CS9113 // The parameter only creates the service.
internal sealed partial class TimerServiceLifecycle(
    TimerService service,
    ActivationDelays activations,
    IServiceProvider services,
    ILogger<TimerServiceLifecycle> logger)
#pragma warning restore CS9113
    : ILifecycleParticipant<ISiloLifecycle>
{
    public void Participate(ISiloLifecycle lifecycle)
    {
        lifecycle.Subscribe(
            nameof(TimerServiceLifecycle),
            ServiceLifecycleStage.RuntimeInitialize,
            LogClocks,
            static _ => Task.CompletedTask);

        // The stages stop from the highest down, and grains are deactivated one stage below this one.
        lifecycle.Subscribe(
            nameof(TimerServiceLifecycle),
            ServiceLifecycleStage.Active,
            static _ => Task.CompletedTask,
            service.StopAsync);
    }

    [LoggerMessage(
        1,
        LogLevel.Information,
        "Scalable timers do not replace the timers of the clock \"{Key}\", because that clock is {Clock}.")]
    private static partial void LogClockLeftAlone(ILogger logger, string key, Type clock);

    private Task LogClocks(CancellationToken cancellationToken)
    {
        foreach (var (key, clock) in KeyedClocks.LeftAlone(services))
        {
            LogClockLeftAlone(logger, key, clock.GetType());
        }

        return Task.CompletedTask;
    }
}

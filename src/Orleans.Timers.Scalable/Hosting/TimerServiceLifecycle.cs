using Orleans.Timers.Scalable.Grains;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Hosting;

/// <summary>Ends delays before the silo deactivates its grains. The container disposes the service.</summary>
/// <remarks>
/// Takes <see cref="ActivationDelays"/> so that it exists, and observes deactivations, from the start.
/// </remarks>
#pragma warning disable CS9113 // The parameter only creates the service.
internal sealed class TimerServiceLifecycle(TimerService service, ActivationDelays activations)
#pragma warning restore CS9113
    : ILifecycleParticipant<ISiloLifecycle>
{
    // The stages stop from the highest down, and grains are deactivated one stage below this one.
    public void Participate(ISiloLifecycle lifecycle) =>
        lifecycle.Subscribe(
            nameof(TimerServiceLifecycle),
            ServiceLifecycleStage.Active,
            static _ => Task.CompletedTask,
            _ => service.StopAsync(CancellationToken.None));
}

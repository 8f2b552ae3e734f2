using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable;

/// <summary>Asks for the static timers to be served while a silo or client runs, if its options say so.</summary>
internal sealed class StaticTimersLifecycle(
    IOptions<OrleansTimerOptions> options, ILogger<StaticTimersLifecycle> logger)
    : ILifecycleParticipant<ISiloLifecycle>, ILifecycleParticipant<IClusterClientLifecycle>, IDisposable
{
    public void Participate(ISiloLifecycle lifecycle) => Subscribe(lifecycle);

    public void Participate(IClusterClientLifecycle lifecycle) => Subscribe(lifecycle);

    /// <summary>For silos that are disposed without being stopped.</summary>
    public void Dispose() => _ = StaticTimerUsers.Instance.Leave(this);

    // Among the first to start and the last to stop, because grains that deactivate still wait for such timers.
    private void Subscribe(ILifecycleObservable lifecycle) =>
        lifecycle.Subscribe(nameof(StaticTimersLifecycle), ServiceLifecycleStage.RuntimeInitialize, Start, Stop);

    private Task Start(CancellationToken cancellationToken)
    {
        if (options.Value.ServeStaticTimers)
        {
            StaticTimerUsers.Instance.Join(this, logger);
        }

        return Task.CompletedTask;
    }

    private Task Stop(CancellationToken cancellationToken) => StaticTimerUsers.Instance.Leave(this);
}

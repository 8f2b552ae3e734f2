using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable;

/// <summary>Lets a silo or client take part in adoption while it runs, if its options say so.</summary>
internal sealed class AdoptionLifecycle(IOptions<OrleansTimerOptions> options, ILogger<AdoptionLifecycle> logger)
    : ILifecycleParticipant<ISiloLifecycle>, ILifecycleParticipant<IClusterClientLifecycle>, IDisposable
{
    public void Participate(ISiloLifecycle lifecycle) => Subscribe(lifecycle);

    public void Participate(IClusterClientLifecycle lifecycle) => Subscribe(lifecycle);

    /// <summary>For silos that end without being stopped.</summary>
    public void Dispose() => _ = ProcessAdoption.Instance.Leave(this);

    // Started among the first, stopped among the last: grains that deactivate still wait.
    private void Subscribe(ILifecycleObservable lifecycle) =>
        lifecycle.Subscribe(nameof(AdoptionLifecycle), ServiceLifecycleStage.RuntimeInitialize, Start, Stop);

    private Task Start(CancellationToken cancellationToken)
    {
        if (options.Value.AdoptOrleansTimers)
        {
            ProcessAdoption.Instance.Join(this, logger);
        }

        return Task.CompletedTask;
    }

    private Task Stop(CancellationToken cancellationToken) => ProcessAdoption.Instance.Leave(this);
}

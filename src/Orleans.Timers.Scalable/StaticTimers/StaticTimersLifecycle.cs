using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable;

/// <summary>Asks for the static timers to be served while a silo or client runs, if its options say so.</summary>
internal sealed class StaticTimersLifecycle(
    IOptions<OrleansTimerOptions> options, ILogger<StaticTimersLifecycle> logger)
    : ILifecycleParticipant<ISiloLifecycle>, ILifecycleParticipant<IClusterClientLifecycle>, IDisposable
{
    private const string TurnedOff =
        $"left to Orleans ({nameof(OrleansTimerOptions)}."
            + $"{nameof(OrleansTimerOptions.ServeStaticTimers)} is false)";

    /// <summary>Whether the timers are served, and if not, why. Known once the silo or client starts.</summary>
    internal string Outcome { get; private set; } = "left to Orleans";

    public void Participate(ISiloLifecycle lifecycle) => Subscribe(lifecycle);

    public void Participate(IClusterClientLifecycle lifecycle) => Subscribe(lifecycle);

    /// <summary>For silos that are disposed without being stopped.</summary>
    public void Dispose() => _ = StaticTimerUsers.Instance.Leave(this);

    // Among the first to start and the last to stop, because grains that deactivate still wait for such timers.
    private void Subscribe(ILifecycleObservable lifecycle) =>
        lifecycle.Subscribe(nameof(StaticTimersLifecycle), ServiceLifecycleStage.RuntimeInitialize, Start, Stop);

    private Task Start(CancellationToken cancellationToken)
    {
        Outcome = options.Value.ServeStaticTimers
            ? StaticTimerUsers.Instance.Join(this, logger)
            : TurnedOff;
        return Task.CompletedTask;
    }

    private Task Stop(CancellationToken cancellationToken) => StaticTimerUsers.Instance.Leave(this);
}

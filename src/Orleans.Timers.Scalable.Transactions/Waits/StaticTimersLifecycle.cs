using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>Asks for the static timers to be served while a silo runs, if its options say so.</summary>
/// <remarks>
/// Among the first to start and the last to stop, because deactivating grains still wait for such timers.
/// </remarks>
internal sealed class StaticTimersLifecycle(
    IOptions<OrleansTimerOptions> options, ILoggerFactory loggers)
    : LifecycleParticipant(ServiceLifecycleStage.RuntimeInitialize), IReportedPart, IDisposable
{
    public string Report => $"Static timers: {Outcome}";

    private string Outcome { get; set; } = "left to Orleans";

    /// <summary>For silos that are disposed without being stopped.</summary>
    public void Dispose() => _ = StaticTimerSilos.Instance.Leave(this);

    protected override void Start() =>
        Outcome = options.Value.ServesStaticTimers
            ? StaticTimerSilos.Instance.Join(this, PluginLog.Of<StaticTimersLifecycle>(loggers))
            : options.Value.LeftToOrleans(nameof(OrleansTimerOptions.ServeStaticTimers));

    protected override Task Stop() => StaticTimerSilos.Instance.Leave(this);
}

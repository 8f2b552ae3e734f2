using System.Reflection;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Logs once, when a silo or client starts, what the plugin has taken over from Orleans and how.</summary>
internal sealed partial class StartReport(
    TimerService service,
    StaticTimersLifecycle staticTimers,
    ResponseTimeoutLifecycle responseTimeouts,
    IServiceProvider services,
    ILogger<StartReport> logger)
    : ILifecycleParticipant<ISiloLifecycle>, ILifecycleParticipant<IClusterClientLifecycle>
{
    private const string None = "none";

    public void Participate(ISiloLifecycle lifecycle) => Subscribe(lifecycle, isSilo: true);

    public void Participate(IClusterClientLifecycle lifecycle) => Subscribe(lifecycle, isSilo: false);

    /// <summary>The version of Orleans that this process runs, as its package has it.</summary>
    private static string OrleansVersion()
    {
        var assembly = typeof(MessagingOptions).Assembly;
        var version = assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
            ?? assembly.GetName().Version?.ToString()
            ?? "of unknown version";

        // The commit stands behind a plus sign, or behind ". Commit Hash: ".
        return version.Split('+', ' ')[0].TrimEnd('.');
    }

    // The stage after that of the parts which are reported.
    private void Subscribe(ILifecycleObservable lifecycle, bool isSilo) => lifecycle.Subscribe(
        nameof(StartReport),
        ServiceLifecycleStage.RuntimeServices + 1,
        _ => Report(isSilo),
        static _ => Task.CompletedTask);

    private Task Report(bool isSilo)
    {
        if (logger.IsEnabled(LogLevel.Information))
        {
            var (driven, leftAlone) = isSilo ? Clocks() : (None, None);
            LogStarted(
                logger,
                OrleansVersion(),
                service.Clock.Resolution,
                service.Driver.Kind,
                driven,
                leftAlone,
                staticTimers.Outcome,
                responseTimeouts.Outcome);
        }

        return Task.CompletedTask;
    }

    private (string Driven, string LeftAlone) Clocks() =>
        (List(KeyedClocks.Driven(services)),
            List(KeyedClocks.LeftAlone(services).Select(static left => $"{left.Key} ({left.Clock.GetType()})")));

    private static string List(IEnumerable<string> items) => string.Join(", ", items.DefaultIfEmpty(None));
}

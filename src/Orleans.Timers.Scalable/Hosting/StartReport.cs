using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Clocks;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;
using ScalableTimers.Metrics;

namespace Orleans.Timers.Scalable.Hosting;

/// <summary>Logs once, when a silo or client starts, what the plugin has taken over from Orleans and how.</summary>
/// <remarks>Runs one stage after the parts that it reports.</remarks>
internal sealed partial class StartReport(
    TimerService service,
    IOptions<OrleansTimerOptions> options,
    IEnumerable<IReportedPart> parts,
    IServiceProvider services,
    ILogger<StartReport> logger)
    : LifecycleParticipant(ServiceLifecycleStage.RuntimeServices + 1)
{
    protected override void Start()
    {
        // Calls bounded without a filter are counted too, so publish the figures from the start.
        _ = services.GetRequiredService<Publication<CallTimeoutStatistics>>();
        if (!options.Value.Enabled)
        {
            LogTurnedOff(logger);
        }
        else if (logger.IsEnabled(LogLevel.Information))
        {
            LogStarted(
                logger,
                OrleansVersion(),
                service.Clock.Resolution,
                service.Driver.Kind,
                List(KeyedClocks.Driven(services)),
                List(KeyedClocks.LeftAlone(services).Select(static left => $"{left.Key} ({left.Clock.GetType()})")),
                string.Join(". ", parts.Select(static part => part.Report)));
        }
    }

    /// <summary>The package version of the Orleans that this process runs.</summary>
    private static string OrleansVersion()
    {
        var assembly = typeof(MessagingOptions).Assembly;
        var version = assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
            ?? assembly.GetName().Version?.ToString()
            ?? "of unknown version";

        // The commit follows a plus sign or ". Commit Hash: ".
        return version.Split('+', ' ')[0].TrimEnd('.');
    }

    private static string List(IEnumerable<string> items) => string.Join(", ", items.DefaultIfEmpty("none"));

    [LoggerMessage(
        1,
        LogLevel.Information,
        "Scalable timers run in Orleans {OrleansVersion} with a resolution of {Resolution}, driven by a {Driver}. "
            + "Clocks driven: {Clocks}; left alone: {ClocksLeftAlone}. {Parts}.")]
    private static partial void LogStarted(
        ILogger logger,
        string orleansVersion,
        TimeSpan resolution,
        TimerServiceDriver driver,
        string clocks,
        string clocksLeftAlone,
        string parts);

    [LoggerMessage(
        2,
        LogLevel.Information,
        "Scalable timers are turned off, by ScalableTimers:Enabled or OrleansTimerOptions.Enabled. Orleans keeps its "
            + "own timers. Grain delays, call timeouts and deadlines use .NET's.")]
    private static partial void LogTurnedOff(ILogger logger);
}

using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Clocks;
using Orleans.Timers.Scalable.Messaging;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Hosting;

/// <summary>Logs once, when a silo or client starts, what the plugin has taken over from Orleans and how.</summary>
/// <remarks>Runs one stage after the parts that it reports.</remarks>
internal sealed partial class StartReport(
    TimerService service,
    IOptions<OrleansTimerOptions> options,
    IEnumerable<IReportedPart> parts,
    IServiceProvider services,
    ILoggerFactory loggers)
    : LifecycleParticipant(ServiceLifecycleStage.RuntimeServices + 1)
{
    private readonly ILogger _logger = PluginLog.Of<StartReport>(loggers);

    protected override void Start()
    {
        var unknown = ConfiguredKeys.Unknown(services).ToList();
        if (unknown.Count > 0)
        {
            LogUnknownKeys(_logger, string.Join(", ", unknown), string.Join(", ", ConfiguredKeys.Known(services)));
        }

        foreach (var unfit in services.GetServices<OrleansFit.Unfit>().Distinct())
        {
            OrleansFit.LogLeft(PluginLog.Of(loggers, nameof(OrleansFit)), unfit.Part, unfit.Difference);
        }

        if (!options.Value.Enabled)
        {
            var losses = services.GetServices<LostWhenOff>().Select(static part => part.Loss);
            LogTurnedOff(_logger, List(losses.Distinct()));
            return;
        }

        var leftAlone = KeyedClocks.LeftAlone(services).ToList();
        var messaging = services.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Messaging);
        var unasked = options.Value.DriveClocks ? [.. leftAlone] : new List<string>();
        if (options.Value.PromptResponseTimeouts && messaging is not ResponseTimeoutClock)
        {
            unasked.Add($"{TimeProviderNames.Messaging} ({messaging.GetType()})");
        }

        if (unasked.Count > 0)
        {
            LogClocksLeftAlone(_logger, List(unasked));
        }

        LogStarted(
            _logger,
            OrleansVersion(),
            service.Clock.Resolution,
            service.Driver.Kind,
            List(KeyedClocks.Driven(services)),
            List(leftAlone),
            string.Join(". ", parts.Select(static part => part.Report)));
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
            + "own timers, and grain delays and WithTimeout use .NET's. Off: {Losses}.")]
    private static partial void LogTurnedOff(ILogger logger, string losses);

    [LoggerMessage(
        3,
        LogLevel.Warning,
        "Scalable timers leave the clocks {Clocks} to Orleans: they, or the clock of grains, make timers or timestamps "
            + "of their own, as a test's do, or were registered after AddScalableTimers.")]
    private static partial void LogClocksLeftAlone(ILogger logger, string clocks);

    [LoggerMessage(
        4,
        LogLevel.Warning,
        "The configuration sets {Keys}, which scalable timers do not know and ignore. Known are {Known}.")]
    private static partial void LogUnknownKeys(ILogger logger, string keys, string known);
}

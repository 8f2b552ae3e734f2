using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Messaging;

/// <summary>
/// Makes Orleans check outstanding calls more often, from the start of a silo or client, and logs how often.
/// </summary>
internal sealed partial class ResponseTimeoutLifecycle(
    IServiceProvider services,
    IOptions<OrleansTimerOptions> options,
    Stalls stalls,
    ILoggerFactory loggers)
    : LifecycleParticipant(ServiceLifecycleStage.RuntimeServices), IReportedPart
{
    private static readonly TimeSpan s_shortestPeriod = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_longestPeriod = TimeSpan.FromMilliseconds(200);

    public string Report => $"Response timeouts: {Outcome}";

    private string Outcome { get; set; } = "left to Orleans";

    protected override void Start()
    {
        var messaging = services.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Messaging);
        if (!options.Value.ChecksResponseTimeouts)
        {
            Outcome = options.Value.LeftToOrleans(nameof(OrleansTimerOptions.PromptResponseTimeouts));
        }
        else if (messaging is not ResponseTimeoutClock clock)
        {
            Outcome = $"left to Orleans (the clock {TimeProviderNames.Messaging} is {messaging.GetType()})";
        }
        else if (clock.Check is not { } check)
        {
            Outcome = $"left to Orleans (it has created no timer of {clock.StockPeriod})";
            LogNotFound(PluginLog.Of<ResponseTimeoutLifecycle>(loggers), clock.StockPeriod);
        }
        else
        {
            // If Orleans does not show whether calls are outstanding, checks stay frequent while none are.
            var isIdle = OutstandingCalls.NoneQuestion(clock.Maker, services);
            var periods = Periods(clock);
            check.Begin(periods, isIdle ?? (static () => false), stalls);
            Outcome = periods.Shortest < periods.Longest
                ? $"checked every {periods.Shortest}, and every {periods.Longest} while idle or overloaded"
                : $"checked every {periods.Longest}";
        }
    }

    private CheckPeriod Periods(ResponseTimeoutClock clock)
    {
        // Never less often than Orleans itself.
        var longest = Min(s_longestPeriod, clock.StockPeriod);
        return new CheckPeriod(
            ShortestTimeout.Of(services, clock.ResponseTimeout),
            Min(s_shortestPeriod, longest),
            longest);
    }

    private static TimeSpan Min(TimeSpan one, TimeSpan other) => one < other ? one : other;

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "Orleans checks for response timeouts at its own period, because this version of Orleans has created no timer "
            + "with a period of {Period} for the checks. The known versions create one.")]
    private static partial void LogNotFound(ILogger logger, TimeSpan period);
}

using Microsoft.Extensions.Logging;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <content>The one line.</content>
internal sealed partial class StartReport
{
    [LoggerMessage(
        1,
        LogLevel.Information,
        "Scalable timers run in Orleans {OrleansVersion} with a resolution of {Resolution}, driven by a {Driver}. "
            + "Clocks driven: {Clocks}; left alone: {ClocksLeftAlone}. Static timers: {StaticTimers}. Response "
            + "timeouts: {ResponseTimeouts}.")]
    private static partial void LogStarted(
        ILogger logger,
        string orleansVersion,
        TimeSpan resolution,
        TimerDriverKind driver,
        string clocks,
        string clocksLeftAlone,
        string staticTimers,
        string responseTimeouts);
}

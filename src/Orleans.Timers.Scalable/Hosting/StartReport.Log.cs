using Microsoft.Extensions.Logging;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <content>The one line, and a doubt.</content>
internal sealed partial class StartReport
{
    [LoggerMessage(
        1,
        LogLevel.Information,
        "Scalable timers run in Orleans {OrleansVersion} with a resolution of {Resolution}, driven by a {Driver}. "
            + "Clocks driven: {Clocks}; left alone: {ClocksLeftAlone}; unknown to this version of Orleans: "
            + "{UnknownClocks}. Static timers: {StaticTimers}. Response timeouts: {ResponseTimeouts}.")]
    private static partial void LogStarted(
        ILogger logger,
        string orleansVersion,
        TimeSpan resolution,
        TimerDriverKind driver,
        string clocks,
        string clocksLeftAlone,
        string unknownClocks,
        string staticTimers,
        string responseTimeouts);

    [LoggerMessage(
        2,
        LogLevel.Warning,
        "Orleans.Transactions has version {TransactionsVersion}, and Orleans has version {OrleansVersion}. They are "
            + "released together. Refer to the package Microsoft.Orleans.Transactions of version {OrleansVersion}.")]
    private static partial void LogTransactionsOfAnotherVersion(
        ILogger logger, string transactionsVersion, string orleansVersion);
}

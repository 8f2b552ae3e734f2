using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable;

/// <content>What adoption reports.</content>
internal sealed partial class TimerAdoption
{
    [LoggerMessage(1, LogLevel.Information, "Scalable timers serve the delays of Orleans' static timer manager, for the whole process.")]
    private static partial void LogTakenOver(ILogger logger);

    [LoggerMessage(2, LogLevel.Information, "Orleans' static timer manager works by itself again. It got back {Returned} pending timers of {Adopted} adopted ones.")]
    private static partial void LogReturned(ILogger logger, int returned, long adopted);

    [LoggerMessage(3, LogLevel.Error, "Serving Orleans' static timer manager failed. It works by itself again.")]
    private static partial void LogFailed(ILogger logger, Exception exception);
}

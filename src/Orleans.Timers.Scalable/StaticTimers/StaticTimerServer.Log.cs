using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable;

/// <content>When static timers are served, and for how long.</content>
internal sealed partial class StaticTimerServer
{
    [LoggerMessage(1, LogLevel.Debug, "Scalable timers serve Orleans' static timers, for the whole process.")]
    private static partial void LogTakenOver(ILogger logger);

    [LoggerMessage(
        2,
        LogLevel.Information,
        "Orleans serves its static timers itself again. Of the {Served} timers that were served, {Returned} were "
            + "still pending and were given back to Orleans.")]
    private static partial void LogReturned(ILogger logger, int returned, long served);

    [LoggerMessage(3, LogLevel.Error, "Serving Orleans' static timers failed. Orleans serves them itself again.")]
    private static partial void LogFailed(ILogger logger, Exception exception);
}

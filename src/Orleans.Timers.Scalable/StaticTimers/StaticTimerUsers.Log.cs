using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable;

/// <content>Why Orleans keeps its static timers.</content>
internal sealed partial class StaticTimerUsers
{
    [LoggerMessage(
        1,
        LogLevel.Warning,
        "Orleans keeps its static timers: {Difference}. This version of scalable timers does not know such a manager.")]
    private static partial void LogUnknownShape(ILogger logger, string difference);

    [LoggerMessage(
        2,
        LogLevel.Information,
        "Orleans' static timers are served already, by another copy of scalable timers in this process.")]
    private static partial void LogOtherCopy(ILogger logger);
}

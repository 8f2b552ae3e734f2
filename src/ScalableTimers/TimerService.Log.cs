using Microsoft.Extensions.Logging;

namespace ScalableTimers;

public sealed partial class TimerService
{
    [LoggerMessage(10, LogLevel.Debug, "The timer service stopped; {Ended} pending delays ended.")]
    private static partial void LogStopped(ILogger logger, int ended);

    [LoggerMessage(11, LogLevel.Debug, "The timer service was disposed; {Dropped} scheduled callbacks were dropped.")]
    private static partial void LogDisposed(ILogger logger, long dropped);
}

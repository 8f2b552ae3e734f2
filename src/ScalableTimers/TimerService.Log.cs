using Microsoft.Extensions.Logging;

namespace ScalableTimers;

public sealed partial class TimerService
{
    [LoggerMessage(10, LogLevel.Debug, "The timer service stopped; {Ended} pending delays ended.")]
    private static partial void LogStopped(ILogger logger, int ended);

    [LoggerMessage(11, LogLevel.Debug, "The timer service was disposed; {Dropped} scheduled callbacks were dropped.")]
    private static partial void LogDisposed(ILogger logger, long dropped);

    [LoggerMessage(12, LogLevel.Warning, "The system's coarse clock fell behind by more than its measured step and is no longer used. Scheduling costs some 20 ns more; a timer scheduled just before may have been early by the difference.")]
    private static partial void LogCoarseClockDistrusted(ILogger logger);
}

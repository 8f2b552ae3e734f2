using Microsoft.Extensions.Logging;

namespace ScalableTimers;

public sealed partial class TimerService
{
    [LoggerMessage(10, LogLevel.Debug, "The timer service stopped; {Ended} pending delays ended.")]
    private static partial void LogStopped(ILogger logger, int ended);

    [LoggerMessage(11, LogLevel.Debug, "The timer service was disposed; {Dropped} scheduled callbacks were dropped.")]
    private static partial void LogDisposed(ILogger logger, long dropped);

    [LoggerMessage(12, LogLevel.Error, "Something that ended with the timer service threw: a continuation of a delay, or a clock that was to drive a timer on. All others have ended.")]
    private static partial void LogEndFailed(ILogger logger, Exception exception);
}

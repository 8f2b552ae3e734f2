using Microsoft.Extensions.Logging;

namespace ScalableTimers;

public sealed partial class TimerService
{
    [LoggerMessage(10, LogLevel.Debug, "The timer service was stopped and has ended {Ended} pending delays.")]
    private static partial void LogStopped(ILogger logger, int ended);

    [LoggerMessage(11, LogLevel.Debug, "The timer service was disposed and has dropped {Dropped} scheduled callbacks.")]
    private static partial void LogDisposed(ILogger logger, long dropped);
}

using Microsoft.Extensions.Logging;

namespace ScalableTimers.Firing;

internal sealed partial class FiringDispatcher
{
    [LoggerMessage(1, LogLevel.Error, "A timer callback threw an exception. Other timers are not affected.")]
    private static partial void LogCallbackFailed(ILogger logger, Exception exception);

    [LoggerMessage(
        2,
        LogLevel.Warning,
        "{Count} expired timers waited {Wait} for a thread of the pool. Timers fire late while all pool threads are "
        + "busy or blocked.")]
    private static partial void LogPoolStarved(ILogger logger, int count, TimeSpan wait);
}

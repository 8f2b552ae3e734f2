using Microsoft.Extensions.Logging;

namespace ScalableTimers.Firing;

internal sealed partial class FiringDispatcher
{
    [LoggerMessage(1, LogLevel.Error, "A timer callback threw an exception. Other timers are not affected.")]
    private static partial void LogCallbackFailed(ILogger logger, Exception exception);

    [LoggerMessage(
        2,
        LogLevel.Warning,
        "{Count} expired timers waited {Wait} for a thread pool thread. Something is blocking pool threads, so timers "
        + "fire late.")]
    private static partial void LogPoolStarved(ILogger logger, int count, TimeSpan wait);

    [LoggerMessage(
        3,
        LogLevel.Warning,
        "The callback {Callback} ran {Duration} on the driver's thread, where callbacks must not block. It "
        + "delayed all other timers. Move the work to another thread, or set CallbackThread to ThreadPool.")]
    private static partial void LogDriverBlocked(ILogger logger, string callback, TimeSpan duration);
}

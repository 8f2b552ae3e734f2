using Microsoft.Extensions.Logging;

namespace ScalableTimers;

public sealed partial class TimerService
{
    [LoggerMessage(
        4,
        LogLevel.Information,
        "The clock {Clock} makes its own timers, so it drives the timer service, in virtual time. All threads share "
        + "one queue, and timers fire one by one.")]
    private static partial void LogVirtualTime(ILogger logger, Type clock);
}

using Microsoft.Extensions.Logging;

namespace ScalableTimers.Collections;

internal sealed partial class PhaseWalk
{
    [LoggerMessage(
        12,
        LogLevel.Error,
        "When the timer service ended a delay or gave a timer to its clock, the continuation of the delay or the clock "
        + "threw an exception. The other delays and timers are not affected.")]
    private static partial void LogEndFailed(ILogger logger, Exception exception);
}

using Microsoft.Extensions.Logging;

namespace ScalableTimers.Collections;

internal sealed partial class PhaseWalk
{
    [LoggerMessage(
        12,
        LogLevel.Error,
        "Something that ended with the timer service threw: a continuation of a delay, or a clock that was to drive a "
        + "timer on. All others have ended.")]
    private static partial void LogEndFailed(ILogger logger, Exception exception);
}

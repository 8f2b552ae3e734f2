using Microsoft.Extensions.Logging;

namespace ScalableTimers.Timeouts;

internal sealed partial class TimeoutTokens
{
    [LoggerMessage(
        20,
        LogLevel.Error,
        "A callback that was registered with a shared timeout token threw an exception. The other callbacks were "
        + "called.")]
    private static partial void LogRegistrationFailed(ILogger logger, Exception exception);
}

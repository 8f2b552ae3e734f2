using Microsoft.Extensions.Logging;

namespace ScalableTimers.Timeouts;

internal sealed partial class TimeoutTokens
{
    [LoggerMessage(
        20, LogLevel.Error, "A registration of a shared timeout token threw. The other registrations were called.")]
    private static partial void LogRegistrationFailed(ILogger logger, Exception exception);
}

using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable;

/// <content>Logs why the static timers are not served.</content>
internal sealed partial class StaticTimerUsers
{
    [LoggerMessage(
        1,
        LogLevel.Warning,
        "Orleans continues to serve its static timers itself, because its timer manager differs from the expected one: "
            + "{Difference}. Use a version of Orleans.Timers.Scalable that knows this version of Orleans, or set "
            + "OrleansTimerOptions.ServeStaticTimers to false.")]
    private static partial void LogUnknownShape(ILogger logger, string difference);
}

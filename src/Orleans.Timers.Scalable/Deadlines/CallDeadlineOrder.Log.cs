using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable;

/// <content>Names the filters that stand behind.</content>
internal sealed partial class CallDeadlineOrder
{
    [LoggerMessage(
        1,
        LogLevel.Warning,
        "These call filters are registered behind those of AddCallDeadlines: {Filters}. If one of them waits or "
            + "calls again, its calls are sent with a deadline that was measured before, and its requests run though "
            + "their deadline has passed. Call AddCallDeadlines after them.")]
    private static partial void LogFiltersBehind(ILogger logger, string filters);
}

using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable;

/// <content>Names the filters that stand behind.</content>
internal sealed partial class CallDeadlineOrder
{
    [LoggerMessage(
        1,
        LogLevel.Warning,
        "These call filters are registered after the filters of AddCallDeadlines: {Filters}. The time that they take "
            + "does not count against deadlines. If such a filter waits or repeats a call, the call is sent with too "
            + "much time left, or a request runs although its deadline has passed. Register these filters first, and "
            + "call AddCallDeadlines afterwards.")]
    private static partial void LogFiltersBehind(ILogger logger, string filters);
}

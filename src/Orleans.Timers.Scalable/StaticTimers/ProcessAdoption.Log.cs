using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable;

/// <content>Why adoption did not begin.</content>
internal sealed partial class ProcessAdoption
{
    [LoggerMessage(1, LogLevel.Warning, "The delays of Orleans' static timer manager are left to Orleans: {Difference}. This version of scalable timers does not know such a manager.")]
    private static partial void LogUnknownShape(ILogger logger, string difference);

    [LoggerMessage(2, LogLevel.Information, "The delays of Orleans' static timer manager are left alone: another copy of scalable timers in this process serves them.")]
    private static partial void LogOtherCopy(ILogger logger);
}

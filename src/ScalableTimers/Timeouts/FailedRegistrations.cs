using Microsoft.Extensions.Logging;

namespace ScalableTimers.Timeouts;

/// <summary>Counts and logs what callbacks throw that are registered with tokens of timeouts.</summary>
internal sealed partial class FailedRegistrations(ILogger? logger)
{
    private long _count;

    internal long Count => Interlocked.Read(ref _count);

    /// <returns>False if there is no logger. Then the exception must not vanish.</returns>
    internal bool TryReport(Exception exception)
    {
        Interlocked.Add(ref _count, exception is AggregateException all ? all.InnerExceptions.Count : 1);
        if (logger is not null)
        {
            LogRegistrationFailed(logger, exception);
        }

        return logger is not null;
    }

    [LoggerMessage(
        20,
        LogLevel.Error,
        "A callback that was registered with the token of a timeout threw an exception. The other callbacks were "
        + "called.")]
    private static partial void LogRegistrationFailed(ILogger logger, Exception exception);
}

using Microsoft.Extensions.Logging;

namespace ScalableTimers.Firing;

/// <summary>
/// Shields the caller from a logger's exceptions and its changes to the thread's contexts. Whoever logs to a full disk,
/// or while the host's providers are disposed, needs it: an exception on a pool thread would end the process.
/// </summary>
internal sealed class NonThrowingLogger(ILogger logger) : ILogger
{
    // This library logs no message in a scope of its own.
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    // If a logger fails to answer, Log may still work.
    public bool IsEnabled(LogLevel logLevel)
    {
        var isEnabled = true;
        Guard(() => isEnabled = logger.IsEnabled(logLevel));
        return isEnabled;
    }

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        Guard(() => logger.Log(logLevel, eventId, state, exception, formatter));

    private static void Guard(Action call)
    {
        var context = new ThreadContext();
        try
        {
            call();
        }
#pragma warning disable CA1031 // There is nowhere left to report the exception.
        catch (Exception)
#pragma warning restore CA1031
        {
        }

        context.Restore();
    }
}

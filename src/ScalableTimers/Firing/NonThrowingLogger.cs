using Microsoft.Extensions.Logging;

namespace ScalableTimers.Firing;

/// <summary>
/// Keeps a logger's exceptions and its changes of the thread's contexts from the caller. A failing log must not stop
/// timers, and must not leave anything to callbacks.
/// </summary>
internal sealed class NonThrowingLogger(ILogger logger) : ILogger
{
    // No message of this library is logged in a scope of its own.
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    // Where a logger cannot tell, Log may work all the same.
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

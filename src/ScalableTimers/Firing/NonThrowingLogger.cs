using Microsoft.Extensions.Logging;

namespace ScalableTimers.Firing;

/// <summary>
/// Keeps a logger's exceptions and its changes of the thread's contexts from the caller. A failing log must not stop
/// timers, and must not leave anything to callbacks.
/// </summary>
/// <remarks>
/// A caller must see the scope that it begins, and a scope is mostly kept in the execution context. So BeginScope does
/// not restore the contexts.
/// </remarks>
internal sealed class NonThrowingLogger(ILogger logger) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
    {
        try
        {
            return logger.BeginScope(state);
        }
#pragma warning disable CA1031 // There is nowhere left to report the exception.
        catch (Exception)
#pragma warning restore CA1031
        {
            return null;
        }
    }

    public bool IsEnabled(LogLevel logLevel)
    {
        var context = new ThreadContext();
        try
        {
            return logger.IsEnabled(logLevel);
        }
#pragma warning disable CA1031 // The answer is unknown. Log may work all the same, and is guarded too.
        catch (Exception)
#pragma warning restore CA1031
        {
            return true;
        }
        finally
        {
            context.Restore();
        }
    }

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        var context = new ThreadContext();
        try
        {
            logger.Log(logLevel, eventId, state, exception, formatter);
        }
#pragma warning disable CA1031 // There is nowhere left to report the exception.
        catch (Exception)
#pragma warning restore CA1031
        {
        }

        context.Restore();
    }
}

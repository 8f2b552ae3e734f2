using Microsoft.Extensions.Logging;

namespace ScalableTimers.Firing;

/// <summary>
/// A logger whose exceptions go no further, and whose contexts do not either: a failing log must not stop timers, nor
/// leave anything to callbacks.
/// </summary>
/// <remarks>
/// A scope is to be seen by its caller, mostly in the execution context, so beginning one leaves that as it is.
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
#pragma warning disable CA1031 // There is nowhere left to report it.
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
#pragma warning disable CA1031 // Nobody knows. Log may work all the same, and is guarded too.
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
#pragma warning disable CA1031 // There is nowhere left to report it.
        catch (Exception)
#pragma warning restore CA1031
        {
        }

        context.Restore();
    }
}

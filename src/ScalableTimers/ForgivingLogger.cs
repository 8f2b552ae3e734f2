using Microsoft.Extensions.Logging;

namespace ScalableTimers;

/// <summary>A logger whose exceptions go no further: a failing log must not stop timers.</summary>
internal sealed class ForgivingLogger(ILogger logger) : ILogger
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
    }

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        try
        {
            logger.Log(logLevel, eventId, state, exception, formatter);
        }
#pragma warning disable CA1031 // There is nowhere left to report it.
        catch (Exception)
#pragma warning restore CA1031
        {
        }
    }
}

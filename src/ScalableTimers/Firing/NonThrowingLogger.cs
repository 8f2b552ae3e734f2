using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace ScalableTimers.Firing;

/// <summary>
/// Shields the caller from a logger's exceptions and its changes to the thread's contexts. Whoever logs to a full disk,
/// or while the host's providers are disposed, needs it: an exception on a pool thread would end the process.
/// </summary>
internal sealed class NonThrowingLogger(ILogger logger) : ILogger
{
    private ILogger _logger = logger;

    /// <summary>
    /// Logs nothing from now on. Threads keep parts of a disposed service, which must not keep its container's logger.
    /// </summary>
    internal void Forget() => _logger = NullLogger.Instance;

    // This library logs no message in a scope of its own.
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    // If a logger fails to answer, Log may still work.
    public bool IsEnabled(LogLevel logLevel)
    {
        var isEnabled = true;
        Guard(() => isEnabled = _logger.IsEnabled(logLevel));
        return isEnabled;
    }

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        Guard(() => _logger.Log(logLevel, eventId, state, exception, formatter));

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

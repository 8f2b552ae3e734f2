using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace ScalableTimers.Firing;

/// <summary>
/// Shields the caller from a logger's exceptions and its changes to the thread's contexts. Whoever logs to a full disk,
/// or while the host's providers are disposed, needs it: an exception on a pool thread would end the process.
/// </summary>
internal sealed class NonThrowingLogger(ILogger logger) : ILogger
{
    private readonly WeakReference<ILogger> _known = new(logger);
    private ILogger? _kept = logger;

    private ILogger Logger => _kept ?? (_known.TryGetTarget(out var known) ? known : NullLogger.Instance);

    /// <summary>
    /// Logs only for as long as others keep the logger. Threads keep parts of a disposed service, which must not keep
    /// its container's logger.
    /// </summary>
    internal void LetGo() => _kept = null;

    // This library logs no message in a scope of its own.
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    // If a logger fails to answer, Log may still work.
    public bool IsEnabled(LogLevel logLevel)
    {
        var isEnabled = true;
        Guard(() => isEnabled = Logger.IsEnabled(logLevel));
        return isEnabled;
    }

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        Guard(() => Logger.Log(logLevel, eventId, state, exception, formatter));

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

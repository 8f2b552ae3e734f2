using Microsoft.Extensions.Logging;

namespace ScalableTimers.Tests.Faults;

/// <summary>
/// Acts on messages of one level, or of all but warnings: those only report a busy pool, which depends on the machine.
/// </summary>
internal sealed class CallingLogger(Action act, LogLevel? level = null) : ILogger<TimerService>
{
    internal Action? Act { get; set; } = act;

    /// <summary>Returns whether a level is enabled.</summary>
    internal Func<bool> Enables { get; init; } = static () => true;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => Enables();

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (level is null ? logLevel != LogLevel.Warning : logLevel == level)
        {
            Act?.Invoke();
        }
    }
}

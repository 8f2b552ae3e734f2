using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace ScalableTimers.Tests;

/// <summary>Keeps what is logged.</summary>
internal sealed class CollectingLogger : ILogger<TimerService>
{
    internal ConcurrentQueue<(LogLevel Level, int Id, string Message, Exception? Exception)> Entries { get; } = new();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        Entries.Enqueue((logLevel, eventId.Id, formatter(state, exception), exception));
}

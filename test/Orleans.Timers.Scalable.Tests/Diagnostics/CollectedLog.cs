using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Keeps the entries of call diagnostics of all silos and clients that share it.</summary>
internal sealed class CollectedLog : ILoggerProvider, ILogger
{
    private readonly ConcurrentQueue<CollectedEntry> _entries = new();

    /// <summary>The entries about a grain.</summary>
    internal IReadOnlyList<CollectedEntry> Of(IAddressable grain) =>
        [.. _entries.Where(entry => Equals(entry.Fields["Target"], grain.GetGrainId().ToString()))];

    public ILogger CreateLogger(string categoryName) =>
        categoryName == typeof(CallDiagnostics).FullName
            ? this
            : Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        _entries.Enqueue(new CollectedEntry(
            formatter(state, exception),
            ((IReadOnlyList<KeyValuePair<string, object?>>)state!).ToDictionary(StringComparer.OrdinalIgnoreCase)));

    public void Dispose()
    {
    }
}

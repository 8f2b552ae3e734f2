using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Cluster.Silos;

/// <summary>Counts log entries at warning level and above, and keeps none.</summary>
internal sealed class LogCounts : ILoggerProvider
{
    private readonly ConcurrentDictionary<string, int> _counts = [];

    public IReadOnlyDictionary<string, int> Read() => _counts.ToDictionary();

    public ILogger CreateLogger(string categoryName) => new Counter(categoryName, _counts);

    public void Dispose()
    {
    }

    private sealed class Counter(string category, ConcurrentDictionary<string, int> counts) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel))
            {
                counts.AddOrUpdate(
                    $"{logLevel} {category[(category.LastIndexOf('.') + 1)..]} {eventId}",
                    1,
                    static (_, count) => count + 1);
            }
        }
    }
}

using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>A logger that counts warnings, and answers that arrived after their call had ended.</summary>
internal sealed class EventCounter : ILoggerProvider, ILogger
{
    /// <summary>Orleans' event "No callback for response message".</summary>
    private const int NoCallback = 100076;

    private long _warnings;
    private long _lateAnswers;

    internal (long Warnings, long LateAnswers) Counts =>
        (Interlocked.Read(ref _warnings), Interlocked.Read(ref _lateAnswers));

    internal void AddTo(ISiloBuilder silo) => silo.Services.AddLogging(logging => logging
        .SetMinimumLevel(LogLevel.Warning)
        .AddFilter("Orleans.Runtime.InsideRuntimeClient", LogLevel.Debug)
        .AddProvider(this));

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (logLevel >= LogLevel.Warning)
        {
            // Any real logger spends at least this much time.
            _ = formatter(state, exception);
            Interlocked.Increment(ref _warnings);
        }
        else if (eventId.Id == NoCallback)
        {
            Interlocked.Increment(ref _lateAnswers);
        }
    }

    public void Dispose()
    {
    }
}

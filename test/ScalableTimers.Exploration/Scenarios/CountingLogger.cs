using Microsoft.Extensions.Logging;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Counts what is logged, by event.</summary>
internal sealed class CountingLogger : ILogger<TimerService>
{
    private readonly List<int> _events = [];

    internal int Count(int eventId) => _events.Count(logged => logged == eventId);

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        _events.Add(eventId.Id);
}

using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Keeps the measurements of the instruments of transaction phases.</summary>
internal sealed class PhaseListener : IDisposable
{
    private readonly ConcurrentQueue<(string Phase, string Silo, double Seconds)> _durations = new();
    private readonly ConcurrentDictionary<string, long> _timeouts = new();
    private readonly MeterListener _listener = new();

    public PhaseListener()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name is TransactionPhaseMetrics.DurationName or TransactionPhaseMetrics.TimeoutsName)
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<double>(
            (_, seconds, tags, _) => _durations.Enqueue((Tag(tags, "phase"), Tag(tags, "silo"), seconds)));
        _listener.SetMeasurementEventCallback<long>(
            (_, count, tags, _) => _timeouts.AddOrUpdate(Tag(tags, "phase"), count, (_, sum) => sum + count));
        _listener.Start();
    }

    /// <summary>The durations of a phase in a silo, or in all of them, the shortest first.</summary>
    internal IReadOnlyList<double> Durations(string phase, string? silo = null) =>
        [
            .. _durations.Where(measured => measured.Phase == phase && (silo is null || measured.Silo == silo))
                .Select(static measured => measured.Seconds)
                .Order(),
        ];

    internal long Timeouts(string phase) => _timeouts.GetValueOrDefault(phase);

    public void Dispose() => _listener.Dispose();

    private static string Tag(ReadOnlySpan<KeyValuePair<string, object?>> tags, string name)
    {
        foreach (var (key, value) in tags)
        {
            if (key == name)
            {
                return (string)value!;
            }
        }

        return string.Empty;
    }
}

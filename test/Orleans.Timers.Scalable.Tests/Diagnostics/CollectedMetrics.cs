using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Keeps what the instruments of calls measure while it is not disposed.</summary>
internal sealed class CollectedMetrics : IDisposable
{
    private readonly ConcurrentQueue<(string Name, double Value, Dictionary<string, object?> Tags)> _all = new();
    private readonly MeterListener _listener;

    internal CollectedMetrics()
    {
        _listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Name is CallMetrics.DurationName or CallMetrics.QueueTimeName
                    or CallMetrics.TimeoutsName)
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
        _listener.Start();
    }

    internal IReadOnlyList<double> Of(string name, string method, string? cause = null) =>
    [
        .. _all.Where(one => one.Name == name
                && Equals(one.Tags[CallMetrics.Method], method)
                && (cause is null || Equals(one.Tags[CallMetrics.Cause], cause)))
            .Select(static one => one.Value),
    ];

    public void Dispose() => _listener.Dispose();

    private void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
        _all.Enqueue((instrument.Name, value, tags.ToArray().ToDictionary()));
}

using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Keeps what some instruments measure.</summary>
internal sealed class Measurements : IDisposable
{
    private readonly ConcurrentQueue<Measurement> _all = new();
    private readonly MeterListener _listener = new();

    /// <param name="prefix">The prefix of the instruments' names.</param>
    public Measurements(string prefix)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Name.StartsWith(prefix, StringComparison.Ordinal))
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Keep(instrument, value, tags));
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Keep(instrument, value, tags));
        _listener.Start();
    }

    internal IEnumerable<Measurement> Of(string instrument) => _all.Where(each => each.Instrument == instrument);

    public void Dispose() => _listener.Dispose();

    private void Keep(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
        _all.Enqueue(new Measurement(instrument.Name, tags.ToArray().ToDictionary(), value));

    internal sealed record Measurement(string Instrument, Dictionary<string, object?> Tags, double Value);
}

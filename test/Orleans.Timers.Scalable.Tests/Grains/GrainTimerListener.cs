using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Keeps what the instruments of grain timers say.</summary>
internal sealed class GrainTimerListener : IDisposable
{
    private readonly ConcurrentQueue<Measured> _all = new();
    private readonly MeterListener _listener = new();

    public GrainTimerListener()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name.StartsWith("scalable_timers.grain_timer.", StringComparison.Ordinal))
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Keep(instrument, value, tags));
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Keep(instrument, value, tags));
        _listener.Start();
    }

    public void Dispose() => _listener.Dispose();

    internal double[] Of(string instrument, string kind) =>
        [.. All.Where(each => each.Instrument == instrument && each.Kind == kind).Select(static each => each.Value)];

    internal IEnumerable<Measured> All => _all;

    private void Keep(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var named = tags.ToArray().ToDictionary(static tag => tag.Key, static tag => (string)tag.Value!);
        _all.Enqueue(new Measured(instrument.Name, named["kind"], named["grain_type"], named["silo"], value));
    }

    internal sealed record Measured(string Instrument, string Kind, string GrainType, string Silo, double Value);
}

using System.Diagnostics.Metrics;

namespace Orleans.Timers.Scalable.Tests;

internal static class Counters
{
    /// <summary>Reads an instrument of a factory's meters once, with a given value of a tag or any.</summary>
    internal static List<long> Read(IMeterFactory factory, string name, string? tag = null)
    {
        var measured = new List<long>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Name == name && ReferenceEquals(instrument.Meter.Scope, factory))
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((_, value, tags, _) =>
        {
            if (tag is null || tags.ToArray().Any(one => tag.Equals(one.Value)))
            {
                measured.Add(value);
            }
        });
        listener.Start();
        listener.RecordObservableInstruments();
        measured.Sort();
        return measured;
    }
}

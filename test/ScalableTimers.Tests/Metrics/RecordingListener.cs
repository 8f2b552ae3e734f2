using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace ScalableTimers.Tests.Metrics;

/// <summary>Listens to some instruments and keeps what they measure.</summary>
internal sealed class RecordingListener : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly ConcurrentQueue<Measurement> _measurements = new();
    private readonly Action? _measured;

    /// <param name="isWanted">Selects the instruments, which may also be those of other tests.</param>
    /// <param name="measured">Called after each measurement has been kept.</param>
    public RecordingListener(Func<Instrument, bool> isWanted, Action? measured = null)
    {
        _measured = measured;
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (isWanted(instrument))
            {
                Instruments.Add(instrument);
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Keep(instrument, value, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Keep(instrument, value, tags));
        _listener.Start();
    }

    internal List<Instrument> Instruments { get; } = [];

    internal IEnumerable<Measurement> Measurements => _measurements;

    public void Dispose() => _listener.Dispose();

    /// <summary>Reads the observable instruments.</summary>
    internal void Observe() => _listener.RecordObservableInstruments();

    private void Keep(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        _measurements.Enqueue(new Measurement(instrument.Name, tags.ToArray(), value));
        _measured?.Invoke();
    }

    internal sealed record Measurement(string Instrument, KeyValuePair<string, object?>[] Tags, double Value);
}

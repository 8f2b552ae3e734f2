using System.Diagnostics.Metrics;

namespace ScalableTimers.Metrics;

/// <summary>Publishes a source's figures through a meter, until this is disposed or the source collected.</summary>
internal sealed class Publication<TSource> : IDisposable
    where TSource : class
{
    private readonly WeakReference<TSource> _source;
    private readonly MeterInstruments<TSource> _instruments;

    internal Publication(TSource source, Meter meter, Action<MeterInstruments<TSource>> make)
    {
        _source = new WeakReference<TSource>(source);
        _instruments = MeterInstruments<TSource>.Of(meter);
        _instruments.Add(_source, make);
    }

    public void Dispose() => _instruments.Remove(_source);
}

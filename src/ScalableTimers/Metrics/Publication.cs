using System.Diagnostics.Metrics;

namespace ScalableTimers.Metrics;

/// <summary>Publishes the figures of one source by a meter until it is disposed or the source is collected.</summary>
/// <typeparam name="TSource">What has figures.</typeparam>
internal sealed class Publication<TSource> : IDisposable
    where TSource : class
{
    private readonly WeakReference<TSource> _source;
    private readonly MeterInstruments<TSource> _instruments;
    private readonly Meter? _ownMeter;

    /// <param name="source">What has figures. Is not kept alive.</param>
    /// <param name="meterName">The meter's name.</param>
    /// <param name="factory">What makes and owns the meter; null for a meter of the source's own.</param>
    /// <param name="make">Makes the instruments of a meter that has none of this type of source yet.</param>
    internal Publication(
        TSource source, string meterName, IMeterFactory? factory, Action<MeterInstruments<TSource>> make)
    {
        _source = new WeakReference<TSource>(source);
        _ownMeter = factory is null ? new Meter(meterName) : null;
        Meter = _ownMeter ?? factory!.Create(new MeterOptions(meterName));
        _instruments = MeterInstruments<TSource>.Of(Meter);
        _instruments.Add(_source, make);
    }

    internal Meter Meter { get; }

    public void Dispose()
    {
        _instruments.Remove(_source);
        try
        {
            _ownMeter?.Dispose();
        }
#pragma warning disable CA1031 // A listener that fails when it hears of the end must not keep the source from ending.
        catch (Exception)
#pragma warning restore CA1031
        {
        }
    }
}

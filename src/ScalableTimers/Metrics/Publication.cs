using System.Diagnostics.Metrics;

namespace ScalableTimers.Metrics;

/// <summary>
/// Publishes the figures of one source through a meter, until the publication is disposed or the source is collected.
/// </summary>
/// <typeparam name="TSource">The type of the source.</typeparam>
internal sealed class Publication<TSource> : IDisposable
    where TSource : class
{
    private readonly WeakReference<TSource> _source;
    private readonly Meter? _ownMeter;

    /// <param name="source">The source of the figures. It is not kept alive.</param>
    /// <param name="meterName">The meter's name.</param>
    /// <param name="factory">Creates and owns the meter; null for a meter of the source's own.</param>
    /// <param name="make">Creates the instruments for a meter that has none yet for this type of source.</param>
    internal Publication(
        TSource source, string meterName, IMeterFactory? factory, Action<MeterInstruments<TSource>> make)
    {
        _source = new WeakReference<TSource>(source);
        _ownMeter = factory is null ? new Meter(meterName) : null;
        Meter = _ownMeter ?? factory!.Create(new MeterOptions(meterName));
        Instruments = MeterInstruments<TSource>.Of(Meter);
        Instruments.Add(_source, make);
    }

    internal Meter Meter { get; }

    internal MeterInstruments<TSource> Instruments { get; }

    public void Dispose()
    {
        Instruments.Remove(_source);
        try
        {
            _ownMeter?.Dispose();
        }
#pragma warning disable CA1031 // A listener that throws when the meter ends must not keep the source from ending.
        catch (Exception)
#pragma warning restore CA1031
        {
        }
    }
}

using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace ScalableTimers.Metrics;

/// <summary>The instruments of one meter for all live sources of one type.</summary>
/// <remarks>
/// A meter keeps its instruments and their callbacks until it is disposed, and a meter factory has one meter per name
/// for the whole process. With instruments per source, every source that ever existed would stay alive and be
/// published. So these refer to the sources weakly. A source that is disposed or collected yields no more measurements.
/// </remarks>
internal sealed class MeterInstruments<TSource>
    where TSource : class
{
    private static readonly ConditionalWeakTable<Meter, MeterInstruments<TSource>> s_byMeter = [];

    // Guards
    //   _sources   _gate, under which no foreign code runs. The array is never changed, but replaced by a new one
    //   _areMade   exchange
    //   _failure   the thread that makes the instruments
    private readonly Lock _gate = new();
    private readonly Meter _meter;
    private WeakReference<TSource>[] _sources = [];
    private int _areMade;
    private ExceptionDispatchInfo? _failure;

    private MeterInstruments(Meter meter) => _meter = meter;

    internal static MeterInstruments<TSource> Of(Meter meter) =>
        s_byMeter.GetValue(meter, static meter => new MeterInstruments<TSource>(meter));

    /// <summary>Publishes a source's figures from now on. The first source creates the instruments.</summary>
    internal void Add(WeakReference<TSource> source, Action<MeterInstruments<TSource>> make)
    {
        lock (_gate)
        {
            var known = _sources;
            Debug.Assert(!known.Contains(source), "A source is published twice.");
            _sources = [.. known.Where(static other => other.TryGetTarget(out _)), source];
        }

        // Not under the lock: a listener that is notified of a new instrument runs its own code, and may add sources.
        if (Interlocked.Exchange(ref _areMade, 1) == 0)
        {
            make(this);
            _failure?.Throw();
        }
    }

    internal void Remove(WeakReference<TSource> source)
    {
        lock (_gate)
        {
            var known = _sources;
            Debug.Assert(known.Count(other => ReferenceEquals(other, source)) <= 1, "A source was published twice.");
            _sources = [.. known.Where(other => !ReferenceEquals(other, source))];
        }
    }

    internal void AddCounter<T>(
        string name, Func<TSource, IEnumerable<Measurement<T>>> measure, string unit, string description)
        where T : struct => Make(
            () => _meter.CreateObservableCounter(name, () => MeasureAll(measure), unit, description));

    internal void AddUpDownCounter<T>(
        string name, Func<TSource, IEnumerable<Measurement<T>>> measure, string unit, string description)
        where T : struct => Make(
            () => _meter.CreateObservableUpDownCounter(name, () => MeasureAll(measure), unit, description));

    internal void AddGauge<T>(
        string name, Func<TSource, IEnumerable<Measurement<T>>> measure, string unit, string description)
        where T : struct => Make(
            () => _meter.CreateObservableGauge(name, () => MeasureAll(measure), unit, description));

    // A listener that throws does so when the meter has added the instrument. The others are made all the same, because
    // the next source makes none.
    private void Make(Action create)
    {
        try
        {
            create();
        }
#pragma warning disable CA1031 // A listener may throw anything.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            _failure ??= ExceptionDispatchInfo.Capture(exception);
        }
    }

    private List<Measurement<T>> MeasureAll<T>(Func<TSource, IEnumerable<Measurement<T>>> measure)
        where T : struct
    {
        WeakReference<TSource>[] sources;
        lock (_gate)
        {
            sources = _sources;
        }

        // The list must be complete before the first measurement reaches a listener, because the listener may throw.
        var measurements = new List<Measurement<T>>();
        foreach (var source in sources)
        {
            if (source.TryGetTarget(out var live))
            {
                measurements.AddRange(measure(live));
            }
        }

        return measurements;
    }
}

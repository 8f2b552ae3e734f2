using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Metrics;

/// <summary>
/// The instruments that one meter has for all sources of one type. They are created once, and publish the figures of
/// every live source.
/// </summary>
/// <typeparam name="TSource">The type of the sources, whose figures are published.</typeparam>
/// <remarks>
/// <para>
/// A meter keeps its instruments, and the instruments keep their callbacks, until the meter is disposed. A meter
/// factory returns the same meter to every caller that asks for its name, and disposes it at the end of the process. So
/// if each source had its own instruments, they would keep every source that ever existed alive, and publish it.
/// </para>
/// <para>
/// Here the instruments belong to the meter and refer to the sources weakly. A source that is disposed or collected no
/// longer yields measurements. A meter without live sources keeps its instruments, which then yield nothing.
/// </para>
/// <para>
/// A counter must not go back. So where sources are named alike and added up, the counters keep the totals of those
/// that were disposed, one number for each name. They go on from there when another source has the name. The totals of
/// a source that was collected without being disposed are lost.
/// </para>
/// </remarks>
internal sealed class MeterInstruments<TSource>
    where TSource : class
{
    private static readonly ConditionalWeakTable<Meter, MeterInstruments<TSource>> s_byMeter = [];

    // Guards
    //   _sources    _gate; no foreign code runs while it is held. The array does not change: each source makes a new
    //               one.
    //   _keepTotals as _sources; what it contains is called under _gate, and reads a source's figures. No thread takes
    //               _gate while it holds a lock of a source.
    //   _areMade    exchange
    //   _histograms the one thread that creates the instruments; read by any. The array does not change.
    private readonly Lock _gate = new();
    private WeakReference<TSource>[] _sources = [];
    private Action<TSource>[] _keepTotals = [];
    private readonly Meter _meter;
    private int _areMade;
    private Histogram<double>[] _histograms = [];

    private MeterInstruments(Meter meter) => _meter = meter;

    internal static MeterInstruments<TSource> Of(Meter meter) =>
        s_byMeter.GetValue(meter, static meter => new MeterInstruments<TSource>(meter));

    /// <summary>Publishes a source's figures from now on.</summary>
    /// <param name="source">The source.</param>
    /// <param name="make">Creates the instruments. Called for the first source only.</param>
    internal void Add(WeakReference<TSource> source, Action<MeterInstruments<TSource>> make)
    {
        lock (_gate)
        {
            var others = _sources.Where(static other => other.TryGetTarget(out _)).ToArray();
            Debug.Assert(!others.Contains(source), "A source is published twice.");
            _sources = [.. others, source];
        }

        // Not under the lock: a listener that is notified of a new instrument runs its own code, and may add sources.
        if (Interlocked.Exchange(ref _areMade, 1) == 0)
        {
            make(this);
        }
    }

    internal void Remove(WeakReference<TSource> source)
    {
        lock (_gate)
        {
            var others = _sources.Where(other => !ReferenceEquals(other, source)).ToArray();
            Debug.Assert(others.Length >= _sources.Length - 1, "A source was published twice.");
            if (others.Length < _sources.Length && source.TryGetTarget(out var ended))
            {
                Array.ForEach(_keepTotals, keep => keep(ended));
            }

            _sources = others;
        }
    }

    /// <param name="name">The instrument's name.</param>
    /// <param name="measure">The measurements of one source.</param>
    /// <param name="unit">The unit.</param>
    /// <param name="description">What is measured.</param>
    /// <param name="merge">
    /// Makes one measurement of those that have the same tag, if sources may be named alike; they have one tag then.
    /// Observers keep one value for each set of tags, and of two measurements the later one.
    /// </param>
    internal void AddCounter<T>(
        string name,
        Func<TSource, IEnumerable<Measurement<T>>> measure,
        string unit,
        string description,
        Func<T, T, T>? merge = null)
        where T : struct
    {
        var past = new Dictionary<string, Measurement<T>>();
        if (merge is not null)
        {
            lock (_gate)
            {
                _keepTotals = [.. _keepTotals, Keep];
            }
        }

        Make(() => _meter.CreateObservableCounter(name, () => MeasureAll(measure, merge, past), unit, description));

        void Keep(TSource source)
        {
            foreach (var one in measure(source))
            {
                var key = KeyOf(one);
                past[key] = past.TryGetValue(key, out var before) ? Merge(before, one, merge!) : one;
            }
        }
    }

    /// <inheritdoc cref="AddCounter"/>
    internal void AddUpDownCounter<T>(
        string name,
        Func<TSource, IEnumerable<Measurement<T>>> measure,
        string unit,
        string description,
        Func<T, T, T>? merge = null)
        where T : struct =>
            Make(() => _meter.CreateObservableUpDownCounter(name, () => MeasureAll(measure, merge), unit, description));

    /// <inheritdoc cref="AddCounter"/>
    internal void AddGauge<T>(
        string name,
        Func<TSource, IEnumerable<Measurement<T>>> measure,
        string unit,
        string description,
        Func<T, T, T>? merge = null)
        where T : struct =>
            Make(() => _meter.CreateObservableGauge(name, () => MeasureAll(measure, merge), unit, description));

    /// <summary>Creates a histogram, to which the sources add their measurements themselves.</summary>
    internal void AddHistogram(string name, string unit, string description, IReadOnlyList<double> boundaries)
    {
        var advice = new InstrumentAdvice<double> { HistogramBucketBoundaries = boundaries };
        var created = Make(() => _meter.CreateHistogram(name, unit, description, tags: null, advice));
        if ((created ?? FindPublished(name)) is Histogram<double> histogram)
        {
            Volatile.Write(ref _histograms, [.. _histograms, histogram]);
        }
    }

    /// <summary>Finds a histogram; null while another source creates the meter's instruments.</summary>
    internal Histogram<double>? FindHistogram(string name) =>
        Array.Find(_histograms, histogram => histogram.Name == name);

    /// <returns>The instrument; null if a listener has thrown.</returns>
    private static Instrument? Make(Func<Instrument> create)
    {
        try
        {
            return create();
        }
#pragma warning disable CA1031 // The instrument exists; only the listener that threw has missed it.
        catch (Exception)
#pragma warning restore CA1031
        {
            return null;
        }
    }

    private Instrument? FindPublished(string name)
    {
        Instrument? found = null;
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (ReferenceEquals(instrument.Meter, _meter) && instrument.Name == name)
                {
                    found = instrument;
                }
            },
        };
        listener.Start();
        return found;
    }

    private List<Measurement<T>> MeasureAll<T>(
        Func<TSource, IEnumerable<Measurement<T>>> measure,
        Func<T, T, T>? merge,
        Dictionary<string, Measurement<T>>? past = null)
        where T : struct
    {
        // Under one lock, so that a source that ends now is in one of them.
        WeakReference<TSource>[] sources;
        var totals = new Dictionary<string, Measurement<T>>();
        lock (_gate)
        {
            sources = _sources;
            foreach (var (key, total) in past ?? [])
            {
                totals.Add(key, total);
            }
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

        return merge is null ? measurements : MergeAlike(measurements, totals, merge);
    }

    private static List<Measurement<T>> MergeAlike<T>(
        List<Measurement<T>> measurements, Dictionary<string, Measurement<T>> totals, Func<T, T, T> merge)
        where T : struct =>
        [
            .. measurements
                .GroupBy(KeyOf)
                .Select(alike => (totals.TryGetValue(alike.Key, out var total) ? alike.Prepend(total) : alike)
                    .Aggregate((one, other) => Merge(one, other, merge))),
        ];

    private static Measurement<T> Merge<T>(Measurement<T> one, Measurement<T> other, Func<T, T, T> merge)
        where T : struct => new(merge(one.Value, other.Value), one.Tags);

    // The name of the source.
    private static string KeyOf<T>(Measurement<T> measurement)
        where T : struct => (string)measurement.Tags[0].Value!;
}

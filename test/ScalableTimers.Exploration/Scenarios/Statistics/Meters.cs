using System.Diagnostics.Metrics;
using System.Reflection;
using ScalableTimers.Metrics;

namespace ScalableTimers.Exploration.Scenarios.Statistics;

/// <summary>Sources are published to a meter.</summary>
internal static class Meters
{
    // This is the method that the instruments call. Meters themselves are switched off in this process.
    private static readonly MethodInfo s_measureAll = typeof(MeterInstruments<Source>)
        .GetMethod("MeasureAll", BindingFlags.Instance | BindingFlags.NonPublic)!.MakeGenericMethod(typeof(int));

    /// <summary>Two sources are added to a new meter at once. Its instruments are created once.</summary>
    [Scenario]
    internal static void FirstSourcesOfAMeter(Interleaving run)
    {
        var instruments = MeterInstruments<object>.Of(new Meter("exploration"));
        var made = 0;
        foreach (var name in new[] { "publishes", "publishes too" })
        {
            run.Run(name, () => instruments.Add(new WeakReference<object>(instruments), _ => made++));
        }

        run.Check(() => Require(made == 1, $"The instruments were made {made} times."));
    }

    /// <summary>
    /// Sources are added to a meter and removed while a thread observes it. The instruments are created once, and
    /// always show the sources that stay.
    /// </summary>
    [Scenario]
    internal static void SourcesPublishedBesideAnObservation(Interleaving run)
    {
        var instruments = MeterInstruments<Source>.Of(new Meter("exploration"));
        Source[] sources = [new(0), new(1), new(2)];
        var references = Array.ConvertAll(sources, static source => new WeakReference<Source>(source));
        var made = 0;
        run.Run("publishes", () => instruments.Add(references[0], _ => made++));
        run.Run(
            "publishes and ends",
            prepare: () => instruments.Add(references[1], _ => made++),
            body: () =>
            {
                instruments.Add(references[2], _ => made++);
                instruments.Remove(references[2]);
            });
        run.Run("observes", () =>
        {
            var seen = Measure(instruments);
            Require(seen.Contains(1) && seen.Distinct().Count() == seen.Length, $"It shows {string.Join(", ", seen)}.");
        });
        run.Check(() =>
        {
            var seen = Measure(instruments);
            Require(made == 1, $"The instruments were made {made} times.");
            Require(seen.Order().SequenceEqual([0, 1]), $"At the end it shows {string.Join(", ", seen)}.");
            GC.KeepAlive(sources);
        });
    }

    private static int[] Measure(MeterInstruments<Source> instruments)
    {
        Func<Source, IEnumerable<Measurement<int>>> measure = static source => [new Measurement<int>(source.Number)];
        var all = s_measureAll.Invoke(
            instruments, BindingFlags.DoNotWrapExceptions, binder: null, [measure], culture: null);
        return [.. ((List<Measurement<int>>)all!).Select(static measurement => measurement.Value)];
    }

    private sealed record Source(int Number);
}

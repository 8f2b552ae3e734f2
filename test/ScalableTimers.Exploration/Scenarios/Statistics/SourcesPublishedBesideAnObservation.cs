using System.Diagnostics.Metrics;
using System.Reflection;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Metrics;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Sources are added to a meter and removed while a thread observes it. The instruments are created once, and show the
/// sources that are there all the time.
/// </summary>
internal sealed class SourcesPublishedBesideAnObservation : Scenario
{
    // This is the method that the instruments call. Meters themselves are switched off in this process.
    private static readonly MethodInfo s_measureAll = typeof(MeterInstruments<Source>)
        .GetMethod("MeasureAll", BindingFlags.Instance | BindingFlags.NonPublic)!.MakeGenericMethod(typeof(int));

    internal override void Arrange(Interleaving run)
    {
        var meter = new Meter("exploration");
        var instruments = MeterInstruments<Source>.Of(meter);
        var sources = Enumerable.Range(1, 3).Select(static number => new Source(number)).ToArray();
        var references = sources.Select(static source => new WeakReference<Source>(source)).ToArray();
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
            var seen = Measure();
            Interleaving.Require(
                seen.Contains(2) && seen.Distinct().Count() == seen.Count, $"It shows {string.Join(", ", seen)}.");
        });
        run.Check(() =>
        {
            Interleaving.Require(made == 1, $"The instruments were made {made} times.");
            Interleaving.Require(
                Measure().Order().SequenceEqual([1, 2]), $"At the end it shows {string.Join(", ", Measure())}.");
            GC.KeepAlive(sources);
        });

        List<int> Measure()
        {
            Func<Source, IEnumerable<Measurement<int>>> measure = static source =>
                [new Measurement<int>(source.Number)];
            return
            [
                .. (
                    (List<Measurement<int>>)s_measureAll.Invoke(
                        instruments,
                        BindingFlags.DoNotWrapExceptions,
                        binder: null,
                        [measure, null, null],
                        culture: null)!)
                    .Select(static measurement => measurement.Value)
            ];
        }
    }

    private sealed class Source(int number)
    {
        internal int Number { get; } = number;
    }
}

using System.Diagnostics.Metrics;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>What does it cost to add a run to the statistics of operations?</summary>
internal sealed class OperationAdds : Workload
{
    internal const int Operations = 4;
    private const string Baseline = "ConcurrentDictionary + lock";

    internal override string Name => "operation-statistics";

    internal override string Question =>
        $"What does it cost to add a run of one of {Operations} operations, chosen at random, on 1 to "
        + $"{2 * Environment.ProcessorCount} threads of {Environment.ProcessorCount} processors? (ns of a processor's "
        + "time; the same on more threads is perfect scaling)";

    internal override string ComparedBy => "ns";

    internal override IReadOnlyList<Contestant> Contestants(Scale scale) =>
    [
        .. new[] { 1, Environment.ProcessorCount, 2 * Environment.ProcessorCount }.Distinct()
            .SelectMany(threads => WithThreads(threads, 100_000_000 / scale.Divisor / threads)),
    ];

    private static IEnumerable<Contestant> WithThreads(int threads, int adds)
    {
        var suffix = threads == 1 ? ", 1 thread" : $", {threads} threads";
        Contestant New(string name, Func<Measurement> run) => new(name + suffix, run) { Against = Baseline + suffix };

        // Some variants are many times slower. They do fewer operations, so that all take about the same time.
        yield return New(Baseline, () => Run(new DictionaryAdder(new()), adds / 8, threads));
        yield return New("array + lock", () => Run(new LockedArrayAdder(NewRows()), adds / 8, threads));
        yield return New("array + Interlocked", () => Run(new InterlockedArrayAdder(NewRows()), adds / 8, threads));
        yield return New(
            "Histogram<double> without listener",
            () => WithHistogram(histogram => Run(new HistogramAdder(histogram), adds, threads)));
        yield return New("Histogram<double>, listener that aggregates", () => WithHistogram(histogram =>
        {
            using var listener = AggregatingListener.Start(histogram);
            return Run(new HistogramAdder(histogram), adds / 8, threads);
        }));
        yield return New("OperationStatistics", () =>
        {
            using var statistics = new OperationStatistics();
            return Run(
                new StatisticsAdder(
                    statistics,
                    [.. Enumerable.Range(0, Operations).Select(i => statistics.Register($"operation {i}"))]),
                adds,
                threads);
        });
        yield return New("thread-static array, no histogram", () => Run(default(ThreadStaticAdder), adds, threads));
    }

    private static Measurement Run<TAdder>(TAdder adder, int adds, int threads)
        where TAdder : struct, IAdder
    {
        var measured = ThreadLoops.Run(threads, adds, () => AddLoop.Create(adder));

        // If there are more threads than processors, they take turns. The figure is the processor time of an addition.
        var nanoseconds = measured.WallNanoseconds * Math.Min(threads, Environment.ProcessorCount) / threads;
        return measured with { Compared = nanoseconds, WallNanoseconds = nanoseconds };
    }

    private static Row[] NewRows() => [.. Enumerable.Range(0, Operations).Select(static _ => new Row())];

    private static Measurement WithHistogram(Func<Histogram<double>, Measurement> run)
    {
        using var meter = new Meter("ScalableTimers.Compare");
        return run(meter.CreateHistogram<double>("duration", "ms"));
    }
}

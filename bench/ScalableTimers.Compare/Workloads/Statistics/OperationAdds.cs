using System.Diagnostics.Metrics;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>What does it cost to add a run to the statistics of operations?</summary>
internal sealed class OperationAdds : Workload
{
    internal const int Operations = 4;
    private const string Baseline = "ConcurrentDictionary + lock";
    private const string MeasureBaseline = "Stopwatch + OperationStatistics";

    // Divided by the number of threads, so that all take about the same time.
    private const int Adds = 60_000_000;

    // Some variants are many times slower, and do fewer operations for the same reason.
    private const int SlowAdds = Adds / 8;

    internal override string Name => "operation-statistics";

    internal override string Question =>
        $"What does it cost to add a run of one of {Operations} operations, chosen at random, on 1 to "
        + $"{4 * Environment.ProcessorCount} threads of {Environment.ProcessorCount} processors? (ns of a processor's "
        + "time; the same on more threads is perfect scaling. Pinned threads stay on one processor each. Rows with "
        + "Stopwatch or Measure also read the clock twice.)";

    internal override string ComparedBy => "ns";

    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var processors = Environment.ProcessorCount;
        return
        [
            .. new[] { 1, processors, 2 * processors, 4 * processors }.Distinct()
                .SelectMany(threads => WithThreads(new Threads(threads, scale.Divisor))),
            .. Pinned.IsSupported && processors > 1
                ? WithPinnedThreads(new Threads(processors, scale.Divisor) { ArePinned = true })
                : [],
            .. new[] { 1, processors }.Distinct()
                .SelectMany(threads => WithClock(new Threads(threads, scale.Divisor))),
        ];
    }

    private static IEnumerable<Contestant> WithThreads(Threads threads) =>
    [
        .. Locked(threads),
        New(threads, "padded array + lock", SlowAdds, static () => new LockedArrayAdder(NewRows<PaddedRow>())),
        New(
            threads,
            "padded array + SpinLock",
            SlowAdds,
            static () => new SpinLockedArrayAdder(NewRows<SpinLockedRow>())),
        New(threads, "array + Interlocked", SlowAdds, static () => new InterlockedArrayAdder(NewRows<Row>())),
        New(
            threads,
            "padded array + Interlocked",
            SlowAdds,
            static () => new InterlockedArrayAdder(NewRows<PaddedRow>())),
        NewWithHistogram(
            threads,
            "Histogram<double> without listener",
            histogram => Run(threads, Adds, new HistogramAdder(histogram))),
        NewWithHistogram(threads, "Histogram<double>, listener that aggregates", histogram =>
        {
            using var listener = AggregatingListener.Start(histogram);
            return Run(threads, SlowAdds, new HistogramAdder(histogram));
        }),
        .. Unlocked(threads),
    ];

    private static IEnumerable<Contestant> WithPinnedThreads(Threads threads) =>
        [.. Locked(threads), .. Unlocked(threads)];

    /// <summary>The variants of the original source.</summary>
    private static IEnumerable<Contestant> Locked(Threads threads) =>
    [
        New(threads, Baseline, SlowAdds, static () => new DictionaryAdder(new())),
        New(threads, "array + lock", SlowAdds, static () => new LockedArrayAdder(NewRows<Row>())),
    ];

    private static IEnumerable<Contestant> Unlocked(Threads threads) =>
    [
        NewWithStatistics(
            threads,
            "OperationStatistics",
            (statistics, operations) => Run(threads, Adds, new StatisticsAdder(statistics, operations))),
        New(threads, "thread-static array, no histogram", Adds, static () => default(ThreadStaticAdder)),
    ];

    private static IEnumerable<Contestant> WithClock(Threads threads)
    {
        Contestant[] contestants =
        [
            NewWithStatistics(
                threads,
                MeasureBaseline,
                (statistics, operations) => Run(threads, SlowAdds, new StopwatchAdder(statistics, operations))),
            NewWithStatistics(
                threads,
                "OperationStatistics.Measure",
                (statistics, operations) => Run(threads, SlowAdds, new MeasureAdder(statistics, operations))),
            New(threads, "Stopwatch alone", SlowAdds, static () => default(ClockReader)),
        ];
        return contestants.Select(contestant => contestant with { Against = threads.Row(MeasureBaseline) });
    }

    private static Contestant New<TAdder>(Threads threads, string name, int adds, Func<TAdder> createAdder)
        where TAdder : struct, IAdder => New(threads, name, () => Run(threads, adds, createAdder()));

    private static Contestant NewWithHistogram(
        Threads threads, string name, Func<Histogram<double>, Measurement> run) =>
        New(threads, name, () =>
        {
            using var meter = new Meter("ScalableTimers.Compare");
            return run(meter.CreateHistogram<double>("duration", "ms"));
        });

    private static Contestant NewWithStatistics(
        Threads threads, string name, Func<OperationStatistics, Operation[], Measurement> run) =>
        New(threads, name, () =>
        {
            using var statistics = new OperationStatistics();
            return run(
                statistics, [.. Enumerable.Range(0, Operations).Select(i => statistics.Register($"operation {i}"))]);
        });

    private static Contestant New(Threads threads, string name, Func<Measurement> run) =>
        new(threads.Row(name), run) { Against = threads.Row(Baseline) };

    private static Measurement Run<TAdder>(Threads threads, int adds, TAdder adder)
        where TAdder : struct, IAdder
    {
        var pinned = threads.ArePinned ? new Pinned() : null;
        var measured = ThreadLoops.Run(threads.Count, adds / threads.Divisor / threads.Count, () =>
        {
            pinned?.PinThread();
            return AddLoop.Create(adder);
        });

        // If there are more threads than processors, they take turns. The figure is the processor time of an addition.
        var nanoseconds =
            measured.WallNanoseconds * Math.Min(threads.Count, Environment.ProcessorCount) / threads.Count;
        return measured with { Compared = nanoseconds, WallNanoseconds = nanoseconds };
    }

    private static TRow[] NewRows<TRow>()
        where TRow : Row, new() => [.. Enumerable.Range(0, Operations).Select(static _ => new TRow())];

    /// <summary>The threads of a row.</summary>
    /// <param name="Count">How many.</param>
    /// <param name="Divisor">The divisor of the number of additions.</param>
    private sealed record Threads(int Count, int Divisor)
    {
        public bool ArePinned { get; init; }

        internal string Row(string name) =>
            $"{name}, {Count} {(ArePinned ? "pinned " : "")}{(Count == 1 ? "thread" : "threads")}";
    }
}

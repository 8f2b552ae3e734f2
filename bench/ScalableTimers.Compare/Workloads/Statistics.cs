using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads;

/// <summary>What does it cost to add a run to the statistics of operations, in a loop?</summary>
internal static class Statistics
{
    // Divided by the number of threads, so that all take about the same time.
    private const int Adds = 24_000_000;

    // With locks an addition takes many times as long.
    private const int LockedAdds = Adds / 6;

    internal static Workload Workload { get; } = new(
        "operation-statistics",
        "How much does it cost to add a run of one of 4 operations, chosen at random, on 1 to "
        + $"{4 * Environment.ProcessorCount} threads of {Environment.ProcessorCount} processors? Perfect scaling takes "
        + "the same time on more threads. Measure also reads the clock twice.",
        Column.Wall,
        static scale =>
        [
            .. new[] { 1, Environment.ProcessorCount, 4 * Environment.ProcessorCount }.Distinct()
                .SelectMany(threads => Contestants(threads, scale)),
        ]);

    private static IEnumerable<Contestant> Contestants(int threads, Scale scale)
    {
        const string Dictionary = "dictionary + lock";
        var statistics = new OperationStatistics();

        // All threads of a row add to the same statistics.
        Contestant Of(string name, int adds, Func<Action<int>> create) => new(
            Contestant.On(threads, name),
            () =>
            {
                var loop = create();
                var measured = ThreadLoops.Run(threads, scale.Of(adds) / threads, () => loop);

                // If there are more threads than processors, they take turns.
                var atOnce = Math.Min(threads, Environment.ProcessorCount);
                measured[Column.Wall] *= (double)atOnce / threads;
                return measured;
            })
        { Against = Contestant.On(threads, Dictionary) };
        return
        [
            Of(Dictionary, LockedAdds, AddLoops.OfDictionary),
            Of("OperationStatistics.Add", Adds, () => AddLoops.OfStatistics(statistics)),
            Of("OperationStatistics.Measure", LockedAdds, () => AddLoops.OfMeasure(statistics)),
        ];
    }
}

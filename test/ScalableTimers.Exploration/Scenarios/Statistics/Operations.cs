namespace ScalableTimers.Exploration.Scenarios.Statistics;

/// <summary>Operations are counted by several threads, and read.</summary>
internal static class Operations
{
    private static readonly TimeSpan s_one = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_three = 3 * s_one;

    /// <summary>Statistics are cleared while a thread adds. Runs that are added after that count, once.</summary>
    [Scenario]
    internal static void StatisticsClearedBesideAdding(Interleaving run)
    {
        var statistics = new OperationStatistics();
        var operation = statistics.Register("operation");
        var isCleared = false;
        int before = 0, after = 0;
        run.Run("adds", prepare: Add, body: () =>
        {
            Add();
            Add();
        });
        run.Run("clears", () =>
        {
            statistics.Clear();
            isCleared = true;
        });
        run.Check(() =>
        {
            var count = statistics.GetSnapshot()[0].Count;
            Require(
                count >= after && count <= after + before - 1,
                $"{count} are counted; {after} have begun after the clearing, and {before} before, one of them long "
                + "before.");
        });

        void Add()
        {
            _ = isCleared ? after++ : before++;
            statistics.Add(operation, s_one);
        }
    }

    /// <summary>
    /// Threads add and end while another one reads. The runs of an ended thread are kept, and counted once.
    /// </summary>
    [Scenario]
    internal static void StatisticsOfThreadsThatEnd(Interleaving run)
    {
        var statistics = new OperationStatistics();
        var operation = statistics.Register("operation");
        run.Run("adds", () => statistics.Add(operation, s_one));
        run.Run("adds too", () => statistics.Add(operation, s_one));
        run.Run("reads", () =>
        {
            var first = statistics.GetSnapshot()[0].Count;
            run.WaitUntil(() => run.HasEnded("adds") && run.HasEnded("adds too"), "end of the others");
            var last = statistics.GetSnapshot()[0].Count;
            Require(first <= 2 && last == 2, $"{first} and then {last} are counted of two.");
        });
        run.Check(() => Require(
            statistics.Threads == 1 && statistics.GetSnapshot()[0].Count == 2,
            $"There are {statistics.Threads} sets of cells after all threads have ended."));
    }

    /// <summary>
    /// Statistics are read while a thread adds more operations than its cells have room for. Counts never decrease, and
    /// at the end all runs are there.
    /// </summary>
    [Scenario]
    internal static void StatisticsReadBesideAdding(Interleaving run)
    {
        var statistics = new OperationStatistics();

        // One operation more than the initial room.
        var operations = Enumerable.Range(0, 5).Select(number => statistics.Register($"operation {number}")).ToArray();
        run.Run("adds", () =>
        {
            statistics.Add(operations[0], s_three);
            statistics.Add(operations[^1], s_one);
            statistics.Add(operations[0], s_one);
        });
        run.Run("reads", () =>
        {
            var first = statistics.GetSnapshot();
            run.WaitUntil(() => run.HasEnded("adds"), "end of the other");
            var all = statistics.GetSnapshot();
            Require(
                first[0].Count <= 2 && first[^1].Count <= 1
                    && (first[0].MaxTime == TimeSpan.Zero || first[0].MaxTime == s_three),
                $"{first[0]} {first[^1]}");
            RequireFigures(all[0], (2, s_three + s_one, s_three, s_one));
            RequireFigures(all[^1], (1, s_one, s_one, s_one));
        });
    }

    private static void RequireFigures(OperationSummary row, (long, TimeSpan, TimeSpan, TimeSpan) expected) =>
        Require((row.Count, row.TotalTime, row.MaxTime, row.MinTime) == expected, $"{row}");
}

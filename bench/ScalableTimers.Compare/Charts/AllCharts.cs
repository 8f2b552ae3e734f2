namespace ScalableTimers.Compare.Charts;

/// <summary>The charts of the documentation, drawn from the stored results.</summary>
internal static class AllCharts
{
    /// <summary>Draws all charts.</summary>
    /// <param name="results">The folder with the files of results.</param>
    /// <returns>The names of the files, and their contents.</returns>
    internal static IEnumerable<(string Name, string Svg)> Draw(string results)
    {
        var compare = new ResultFile(Path.Combine(results, "compare.md"));
        yield return ("lateness.svg", Lateness(compare, "firing", "200,000").ToSvg());
        yield return ("lateness-2m.svg", Lateness(compare, "firing-2m", "2,000,000").ToSvg());
        yield return ("cost-by-threads.svg", CostByThreads(compare).ToSvg());
        yield return (
            "additions-by-threads.svg",
            AdditionsByThreads(new ResultFile(Path.Combine(results, "operation-statistics.md"))).ToSvg());
    }

    private static BarChart Lateness(ResultFile file, string workload, string timers)
    {
        string[] contestants = ["Timer", "Task.Delay", "Schedule", "Delay"];
        (string Name, string Column)[] shares = [("median", "late p50 ms"), ("99 %", "p99"), ("99.9 %", "p99.9")];
        return new BarChart(
            $"How late {timers} timers fire that are due within a second, in ms",
            [
                .. shares.Select(share => new BarGroup(
                    share.Name,
                    [.. contestants.Select(contestant => Bar(file, workload, contestant, share.Column, contestant))])),
            ]);
    }

    private static BarChart CostByThreads(ResultFile file) => ByThreads(
        "Processor time of a timeout that is cancelled at once, by threads, in ns",
        file,
        "thread-scaling",
        "CPU ns",
        ["1 thread", "2 threads", "4 threads", "16 threads", "64 threads"],
        ["Timer", "Schedule"]);

    private static BarChart AdditionsByThreads(ResultFile file) => ByThreads(
        "Time to add to one of four operations, by threads, in ns of a processor",
        file,
        "operation-statistics",
        "ns",
        ["1 thread", "2 threads", "4 threads"],
        [
            "ConcurrentDictionary + lock", "array + lock", "array + Interlocked", "OperationStatistics",
            "thread-static array, no histogram",
        ]);

    private static BarChart ByThreads(
        string title, ResultFile file, string workload, string column, string[] threads, string[] contestants) =>
        new(
            title,
            [
                .. threads.Select(count => new BarGroup(
                    count,
                    [
                        .. contestants.Select(
                            contestant => Bar(file, workload, $"{contestant}, {count}", column, contestant)),
                    ])),
            ]);

    private static (string Series, double Value, string Text) Bar(
        ResultFile file, string workload, string row, string column, string series) =>
        (series, file.Figure(workload, row, column), file.Text(workload, row, column));
}

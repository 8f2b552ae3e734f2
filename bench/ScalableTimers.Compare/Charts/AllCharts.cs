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

    // The table has the processor time of an addition. So all threads together add as often as there are processors in
    // use, divided by that time.
    private static LineChart AdditionsByThreads(ResultFile file)
    {
        const string Workload = "operation-statistics";
        string[] contestants =
        [
            "thread-static array, no histogram", "OperationStatistics", "array + Interlocked",
            "padded array + Interlocked", "padded array + SpinLock", "array + lock", "padded array + lock",
            "ConcurrentDictionary + lock",
        ];
        int[] threads = [.. new[] { 1, 2, 4, 8 }.Where(count => file.Has(Workload, Row(contestants[0], count)))];
        return new LineChart(
            $"Additions a second to four operations, in millions, by threads, on {file.Processors} processors",
            [.. threads.Select(static count => count == 1 ? "1 thread" : $"{count} threads")],
            [
                .. contestants.Where(contestant => file.Has(Workload, Row(contestant, threads[0])))
                    .Select(contestant => new LineSeries(
                        contestant,
                        [
                            .. threads.Select(count =>
                                Math.Min(count, file.Processors) * 1e3
                                    / file.Figure(Workload, Row(contestant, count), "ns")),
                        ])),
            ]);

        static string Row(string contestant, int count) =>
            count == 1 ? $"{contestant}, 1 thread" : $"{contestant}, {count} threads";
    }

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

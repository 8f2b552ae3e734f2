namespace ScalableTimers.Compare.Charts;

/// <summary>The charts of the documentation, drawn from the stored results.</summary>
internal static class AllCharts
{
    private static readonly (string Image, string Results, Func<ResultFile, string> Draw)[] s_all =
    [
        (
            "lateness.svg",
            "compare",
            static file => Lateness(file, "firing", "200,000 timers", "within a second").ToSvg()),
        (
            "lateness-2m.svg",
            "compare",
            static file => Lateness(file, "firing-2m", "2,000,000 timers", "within a second").ToSvg()),
        (
            "lateness-steady.svg",
            "compare",
            static file => Lateness(file, "steady-firing", "timers", "at 20,000 a second").ToSvg()),
        ("cost-by-threads.svg", "compare", static file => CostByThreads(file).ToSvg()),
        ("cost-by-pace.svg", "paced", static file => CostByPace(file).ToSvg()),
        ("additions-by-threads.svg", "operation-statistics", static file => AdditionsByThreads(file).ToSvg()),
    ];

    /// <summary>Draws all charts whose figures are stored.</summary>
    /// <param name="root">The folder of the repository.</param>
    /// <param name="complain">Is told what a chart lacks that the docs have.</param>
    /// <returns>The paths of the files, and their contents.</returns>
    internal static IEnumerable<(string Path, string Svg)> Draw(string root, Action<string> complain)
    {
        foreach (var (image, results, draw) in s_all)
        {
            var path = Path.Combine(root, "docs", "images", image);
            var file = Path.Combine(root, "bench", "results", $"{results}.md");
            string? svg = null;
            try
            {
                svg = File.Exists(file) ? draw(new ResultFile(file)) : null;
                if (svg is null && File.Exists(path))
                {
                    complain($"docs/images/{image}: there is no {results}.md.");
                }
            }
            catch (KeyNotFoundException missing)
            {
                complain($"docs/images/{image}: {missing.Message}");
            }

            if (svg is not null)
            {
                yield return (path, svg);
            }
        }
    }

    private static BarChart Lateness(ResultFile file, string workload, string timers, string when)
    {
        string[] contestants = ["Timer", "Task.Delay", "Schedule", "Delay"];
        (string Name, string Column)[] shares = [("median", "late p50 ms"), ("99 %", "p99"), ("99.9 %", "p99.9")];
        return new BarChart(
            $"How late {timers} fire that are due {when}, in ms",
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

    private static BarChart CostByPace(ResultFile file)
    {
        string[] contestants = ["Timer", "Schedule", "Task.Delay", "TryDelay"];
        (string Name, string Suffix)[] pauses = [("asleep between", ""), ("32 MB read between", "-32mb")];
        (string Name, string Workload)[] paces = [("1,000", "1k"), ("20,000", "20k"), ("100,000", "100k")];
        return new BarChart(
            "Time of a timeout that is set and cancelled at a steady pace, in ns",
            [
                .. from pause in pauses
                   from pace in paces
                   select new BarGroup(
                       $"{pace.Name} a second, {pause.Name}",
                       [
                           .. contestants.Select(contestant => Bar(
                               file, $"paced-{pace.Workload}{pause.Suffix}", contestant, "net ns", contestant)),
                       ]),
            ]);
    }

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

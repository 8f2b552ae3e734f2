using TransactionsDemo.Load;
using TransactionsDemo.Rounds;

namespace TransactionsDemo.Report;

/// <summary>The figures of both variants, and their ratio: medians of the rounds, and their range.</summary>
/// <param name="Rows">As many cells in each. The first row is the heading.</param>
internal sealed record FiguresTable(IReadOnlyList<IReadOnlyList<string>> Rows)
{
    private static readonly (string Name, string Format, Func<RoundResult, double> ValueOf)[] s_figures =
    [
        ("transfers a second", "N0", static round => round.TransfersPerSecond),
        ("processor time a transfer, µs", "N0", static round => round.ProcessorMicrosecondsPerTransfer),
        ("allocated a transfer, KB", "N1", static round => round.AllocatedKilobytesPerTransfer),
        ("latency p50, ms", "N1", static round => round.LatencyP50Milliseconds),
        ("latency p99, ms", "N0", static round => round.LatencyP99Milliseconds),
        ("response timeouts of 200 ms, late by p50, ms", "N0", static round => TimeoutLateness(round, 0.5)),
        ("response timeouts of 200 ms, late by at most, ms", "N0", static round => TimeoutLateness(round, 1)),
        ("working set after the load, MB", "N0", static round => round.WorkingSetMegabytes),
        ("live objects after the load, MB", "N0", static round => round.LiveMegabytes),
        ("time to stop the silos, s", "N2", static round => round.StopSeconds),
    ];

    public static FiguresTable Of(Results results)
    {
        var rows = new List<IReadOnlyList<string>>
        {
            new[] { string.Empty, Variant.Stock.Title(), Variant.Scalable.Title(), "ratio" },
        };
        foreach (var (name, format, valueOf) in s_figures)
        {
            rows.Add(
            [
                name,
                results.SpreadOf(Variant.Stock, valueOf).ToString(format),
                results.SpreadOf(Variant.Scalable, valueOf).ToString(format),
                results.RatioOf(valueOf).ToString("N2"),
            ]);
        }

        void AddRow(string name, Func<Variant, string> textOf) =>
            rows.Add([name, textOf(Variant.Stock), textOf(Variant.Scalable), string.Empty]);
        AddRow("ended early: waits of 20 to 400 ms in a grain", variant => Early(results, variant, WaitKind.Grain));
        AddRow("ended early: waits of 3 s as transactions have", variant => Early(results, variant, WaitKind.Orleans));
        AddRow("transfers aborted", variant => $"{results.Of(variant).Sum(static round => round.Failed):N0}");
        AddRow("transfers in doubt", variant => $"{results.Of(variant).Sum(static round => round.InDoubt):N0}");
        AddRow(
            "money",
            variant => results.Of(variant).All(static round => round.Errors.Count == 0) ? "all there" : "WRONG");
        return new FiguresTable(rows);
    }

    /// <summary>The table as lines that are as wide as each other.</summary>
    public IEnumerable<string> Markdown()
    {
        int[] widths = [.. Enumerable.Range(0, Rows[0].Count).Select(column => Rows.Max(row => row[column].Length))];
        string Line(IReadOnlyList<string> cells) => $"| {string.Join(" | ", cells.Select(
            (cell, column) => column == 0 ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column])))} |";

        yield return Line(Rows[0]);
        yield return $"|{string.Join("|", widths.Select(
            static (width, column) => new string('-', width + 1) + (column == 0 ? '-' : ':')))}|";
        foreach (var row in Rows.Skip(1))
        {
            yield return Line(row);
        }
    }

    private static double TimeoutLateness(RoundResult round, double share)
    {
        double[] sorted =
        [
            .. round.WaitsOf(WaitKind.ResponseTimeout).Select(static wait => wait.LatenessMilliseconds).Order(),
        ];
        return sorted.Length == 0 ? double.NaN : sorted[(int)((sorted.Length - 1) * share)];
    }

    private static string Early(Results results, Variant variant, WaitKind kind)
    {
        var lateness = results.LatenessOf(variant, kind);
        var early = lateness.Count(static each => each < 0);
        return (lateness.Count, early) switch
        {
            (0, _) => "-",
            (_, 0) => $"0 of {lateness.Count:N0}",
            _ => $"{early:N0} of {lateness.Count:N0}, by up to {-lateness[0]:N1} ms",
        };
    }
}

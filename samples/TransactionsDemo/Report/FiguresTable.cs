using TransactionsDemo.Load;
using TransactionsDemo.Rounds;

namespace TransactionsDemo.Report;

/// <summary>The figures of both variants and their ratio: medians and ranges over the rounds.</summary>
internal static class FiguresTable
{
    private static readonly (string Name, string Format, Func<RoundResult, double> ValueOf)[] s_figures =
    [
        ("transfers a second", "N0", static round => round.TransfersPerSecond),
        ("processor time a transfer, µs", "N0", static round => round.ProcessorMicrosecondsPerTransfer),
        ("allocated a transfer, KB", "N1", static round => round.AllocatedKilobytesPerTransfer),
        ("latency p50, ms", "N1", static round => round.LatencyP50),
        ("latency p99, ms", "N0", static round => round.LatencyP99),
        ("response timeouts of 200 ms, late by p50, ms", "N0", static round => round.TimeoutLateness(0.5)),
        ("response timeouts of 200 ms, late by at most, ms", "N0", static round => round.TimeoutLateness(1)),
        ("working set after the load, MB", "N0", static round => round.WorkingSetMegabytes),
        ("live objects after the load, MB", "N0", static round => round.LiveMegabytes),
        ("time to stop the silos, s", "N2", static round => round.StopSeconds),
    ];

    /// <summary>The table as lines of Markdown of equal width.</summary>
    public static List<string> Of(Results results)
    {
        List<string[]> rows =
        [
            Row(string.Empty, Results.Title, "ratio"),
            .. s_figures.Select(figure => Row(
                figure.Name,
                hasPlugin => Spread.Of(results.Of(hasPlugin).Select(figure.ValueOf)).ToString(figure.Format),

                // Round by round: both made the same transfers, one after the other.
                Spread.Of(results.Scalable.Zip(
                    results.Stock, (scalable, stock) => figure.ValueOf(scalable) / figure.ValueOf(stock)))
                    .ToString("N2"))),
            Row(
                "ended early: waits of 20 to 400 ms in a grain",
                hasPlugin => Early(results.LatenessOf(hasPlugin, WaitKind.Grain))),
            Row(
                "ended early: waits of 3 s as transactions have",
                hasPlugin => Early(results.LatenessOf(hasPlugin, WaitKind.Orleans))),
            Row("transfers aborted", hasPlugin => $"{results.Of(hasPlugin).Sum(static round => round.Failed):N0}"),
            Row("transfers in doubt", hasPlugin => $"{results.Of(hasPlugin).Sum(static round => round.InDoubt):N0}"),
            Row(
                "money",
                hasPlugin => results.Of(hasPlugin).All(static round => round.Errors.Count == 0)
                    ? "all there"
                    : "WRONG"),
        ];
        int[] widths = [.. Enumerable.Range(0, 4).Select(column => rows.Max(row => row[column].Length))];
        var rule = string.Join(
            "|", widths.Select(static (width, column) => new string('-', width + 1) + (column == 0 ? '-' : ':')));
        return [Line(rows[0]), $"|{rule}|", .. rows.Skip(1).Select(Line)];

        string Line(string[] cells) => $"| {string.Join(" | ", cells.Select(
            (cell, column) => column == 0 ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column])))} |";
    }

    private static string[] Row(string name, Func<bool, string> textOf, string ratio = "") =>
        [name, textOf(false), textOf(true), ratio];

    private static string Early(List<double> lateness)
    {
        var early = lateness.Count(static each => each < 0);
        return (lateness.Count, early) switch
        {
            (0, _) => "-",
            (_, 0) => $"0 of {lateness.Count:N0}",
            _ => $"{early:N0} of {lateness.Count:N0}, by up to {-lateness[0]:N1} ms",
        };
    }
}

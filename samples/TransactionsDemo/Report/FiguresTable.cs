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
        ("latency p50, ms", "N1", static round => round.LatencyPercentiles[50 - 1]),
        ("latency p99, ms", "N0", static round => round.LatencyPercentiles[99 - 1]),
        ("response timeouts of 200 ms, late by p50, ms", "N0", static round => round.TimeoutLateness(0.5)),
        ("response timeouts of 200 ms, late by at most, ms", "N0", static round => round.TimeoutLateness(1)),
        ("working set after the load, MB", "N0", static round => round.WorkingSetMegabytes),
        ("live objects after the load, MB", "N0", static round => round.LiveMegabytes),
        ("time to stop the silos, s", "N2", static round => round.StopSeconds),
    ];

    /// <summary>The table as lines of Markdown of equal width.</summary>
    public static IReadOnlyList<string> Of(Results results)
    {
        var rows = new List<string[]> { Row(string.Empty, static variant => variant.Title(), "ratio") };
        foreach (var (name, format, valueOf) in s_figures)
        {
            rows.Add(Row(
                name,
                variant => results.SpreadOf(variant, valueOf).ToString(format),
                results.RatioOf(valueOf).ToString("N2")));
        }

        rows.Add(Row(
            "ended early: waits of 20 to 400 ms in a grain", variant => Early(results, variant, WaitKind.Grain)));
        rows.Add(Row(
            "ended early: waits of 3 s as transactions have", variant => Early(results, variant, WaitKind.Orleans)));
        rows.Add(Row("transfers aborted", variant => $"{results.Of(variant).Sum(static round => round.Failed):N0}"));
        rows.Add(Row("transfers in doubt", variant => $"{results.Of(variant).Sum(static round => round.InDoubt):N0}"));
        rows.Add(Row(
            "money",
            variant => results.Of(variant).All(static round => round.Errors.Count == 0) ? "all there" : "WRONG"));

        int[] widths = [.. Enumerable.Range(0, 4).Select(column => rows.Max(row => row[column].Length))];
        var rule = string.Join(
            "|", widths.Select(static (width, column) => new string('-', width + 1) + (column == 0 ? '-' : ':')));
        return [Line(rows[0]), $"|{rule}|", .. rows.Skip(1).Select(Line)];

        string Line(string[] cells) => $"| {string.Join(" | ", cells.Select(
            (cell, column) => column == 0 ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column])))} |";
    }

    private static string[] Row(string name, Func<Variant, string> textOf, string ratio = "") =>
        [name, textOf(Variant.Stock), textOf(Variant.Scalable), ratio];

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

using System.Runtime.InteropServices;
using TransactionsDemo.CommandLine;

namespace TransactionsDemo.Comparison;

/// <summary>A comparison as tables in Markdown.</summary>
internal static class ComparisonTable
{
    private static readonly (string Name, string Format, Func<ComparisonRound, double> ValueOf)[] s_figures =
    [
        ("transfers/s", "N0", static round => round.TransfersPerSecond),
        ("CPU µs a transfer", "N1", static round => round.CpuMicrosecondsPerTransfer),
        ("p50 ms", "N2", static round => round.P50),
        ("p99 ms", "N2", static round => round.P99),
        ("max ms", "N0", static round => round.Max),
        ("stalls", "N0", static round => round.Stalls),
        ("longest pause ms", "N0", static round => round.LongestPause),
        ("pending", "N0", static round => round.Pending),
        ("probes", "N0", static round => round.Probes),
        ("probes early", "N0", static round => round.EarlyProbes),
        ("not committed", "N0", static round => round.NotCommitted),
    ];

    public static IEnumerable<string> Heading(ComparisonOptions options) =>
    [
        $".NET {Environment.Version}, {Environment.ProcessorCount} processors, {RuntimeInformation.OSDescription}, "
        + $"{DateTime.UtcNow:yyyy-MM-dd HH:mm} UTC.",
        $"Each round: {string.Join(' ', options.RoundArguments)}",
        string.Empty,
        $"| silos | at a time | round | variant | {string.Join(" | ", s_figures.Select(static figure => figure.Name))} "
        + "|",
        $"|--:|--:|--:|---|{string.Concat(Enumerable.Repeat("--:|", s_figures.Length))}",
    ];

    public static string Row(ComparisonRound round) =>
        $"| {round.Place.Silos} | {round.Place.Concurrency} | {round.Round} | {Variant(round.IsServed)} | "
        + $"{string.Join(" | ", s_figures.Select(figure => Text(figure.ValueOf(round), figure.Format)))} |";

    /// <summary>The medians of each variant at each place, and their ratio; stalls are also added up.</summary>
    public static IEnumerable<string> Medians(IReadOnlyList<ComparisonRound> rounds)
    {
        yield return string.Empty;
        yield return "Medians; the ratio is served by stock.";
        yield return string.Empty;
        yield return "| silos | at a time | rounds | variant | "
            + $"{string.Join(" | ", s_figures.Select(static figure => figure.Name))} | stalls in all |";
        yield return $"|--:|--:|--:|---|{string.Concat(Enumerable.Repeat("--:|", s_figures.Length + 1))}";
        foreach (var place in rounds.GroupBy(static round => round.Place))
        {
            var start = $"| {place.Key.Silos} | {place.Key.Concurrency} ";
            var stock = place.Where(static round => !round.IsServed).ToList();
            var served = place.Where(static round => round.IsServed).ToList();
            yield return $"{start}| {Row(stock, isServed: false)} |";
            yield return $"{start}| {Row(served, isServed: true)} |";
            var ratios = s_figures.Select(figure =>
                Text(Median(served, figure.ValueOf) / Median(stock, figure.ValueOf), "N2"));
            yield return $"{start}| | ratio | {string.Join(" | ", ratios)} | |";
        }
    }

    private static string Cells(List<ComparisonRound> rounds) =>
        string.Join(" | ", s_figures.Select(figure => Text(Median(rounds, figure.ValueOf), figure.Format)));

    private static double Median(List<ComparisonRound> rounds, Func<ComparisonRound, double> valueOf)
    {
        var values = rounds.Select(valueOf).Order().ToList();
        return values.Count == 0 ? double.NaN : (values[(values.Count - 1) / 2] + values[values.Count / 2]) / 2;
    }

    private static string Row(List<ComparisonRound> rounds, bool isServed) =>
        $"{rounds.Count} | {Variant(isServed)} | {Cells(rounds)} | {rounds.Sum(static round => round.Stalls):N0}";

    private static string Variant(bool isServed) => isServed ? CompareCommand.Served : CompareCommand.Stock;

    private static string Text(double value, string format) => double.IsFinite(value) ? value.ToString(format) : "–";
}

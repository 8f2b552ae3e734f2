using TransactionsDemo.Bank;
using TransactionsDemo.Report;

namespace TransactionsDemo.Comparison;

/// <summary>A comparison as tables in Markdown.</summary>
internal static class ComparisonTable
{
    private static readonly (string Name, string Format, Func<RunFigures, double> ValueOf)[] s_figures =
    [
        ("transfers/s", "N0", static run => run.TransfersPerSecond),
        ("CPU µs a transfer", "N1", static run => run.CpuMicrosecondsPerTransfer),
        ("p50 ms", "N2", static run => run.LatencyMilliseconds.P50),
        ("p99 ms", "N2", static run => run.LatencyMilliseconds.P99),
        ("max ms", "N0", static run => run.LatencyMilliseconds.Max),
        ("stalls", "N0", static run => run.Stalls),
        ("longest pause ms", "N0", static run => run.LongestPauseMilliseconds),
        ("pending", "N0", static run => run.EngineTimersPending ?? double.NaN),
        ("probes", "N0", static run => run.EngineTimerProbes),
        ("probes early", "N0", static run => run.EngineTimerProbesEarly),
        ("not committed", "N0", static run => run.Finished - run.Outcomes[TransferOutcome.Committed]),
    ];

    public static IEnumerable<string> Heading(ComparisonOptions options) =>
    [
        $"{MachineFigures.Here}.",
        $"Each round: {string.Join(' ', options.RoundArguments)}",
        string.Empty,
        "### rounds",
        string.Empty,
        $"| silos | at a time | round | variant | {string.Join(" | ", s_figures.Select(static figure => figure.Name))} "
        + "|",
        $"|--:|--:|--:|---|{string.Concat(Enumerable.Repeat("--:|", s_figures.Length))}",
    ];

    public static string Row(ComparisonRound round) =>
        $"| {round.Place.Silos} | {round.Place.Concurrency} | {round.Round} | {round.Variant.Name} | "
        + $"{string.Join(" | ", s_figures.Select(figure => Text(figure.ValueOf(round.Figures), figure.Format)))} |";

    /// <summary>The medians of each variant at each place, and their ratio; stalls are also added up.</summary>
    public static IEnumerable<string> Medians(IReadOnlyList<ComparisonRound> rounds, VariantPair variants)
    {
        yield return string.Empty;
        yield return "### medians";
        yield return string.Empty;
        yield return $"Medians; the ratio is {variants.Changed.Name} by {variants.Baseline.Name}, the median of the "
            + "rounds' ratios with the least and the most.";
        yield return string.Empty;
        yield return "| silos | at a time | rounds | variant | "
            + $"{string.Join(" | ", s_figures.Select(static figure => figure.Name))} | stalls in all |";
        yield return $"|--:|--:|--:|---|{string.Concat(Enumerable.Repeat("--:|", s_figures.Length + 1))}";
        foreach (var place in rounds.GroupBy(static round => round.Place))
        {
            var start = $"| {place.Key.Silos} | {place.Key.Concurrency} ";
            var (baseline, changed) = (FiguresOf(place, variants.Baseline), FiguresOf(place, variants.Changed));
            yield return $"{start}| {Row(baseline, variants.Baseline)} |";
            yield return $"{start}| {Row(changed, variants.Changed)} |";
            var ratios = s_figures.Select(figure => Text(Spread.Ratio(
                [.. changed.Select(figure.ValueOf)], [.. baseline.Select(figure.ValueOf)])));
            yield return $"{start}| | ratio | {string.Join(" | ", ratios)} | |";
        }
    }

    private static List<RunFigures> FiguresOf(IEnumerable<ComparisonRound> rounds, Variant variant) =>
    [
        .. rounds.Where(round => round.Variant == variant)
            .OrderBy(static round => round.Round)
            .Select(static round => round.Figures),
    ];

    private static string Row(List<RunFigures> runs, Variant variant)
    {
        var cells = s_figures.Select(figure => Text(Median(runs, figure.ValueOf), figure.Format));
        return $"{runs.Count} | {variant.Name} | {string.Join(" | ", cells)} | "
            + $"{runs.Sum(static run => run.Stalls):N0}";
    }

    private static double Median(List<RunFigures> runs, Func<RunFigures, double> valueOf) =>
        Spread.Of(runs.Select(valueOf)).Median;

    private static string Text(Spread ratio) =>
        double.IsFinite(ratio.Median) ? $"{ratio.Median:N2} ({ratio.Min:N2} to {ratio.Max:N2})" : "–";

    private static string Text(double value, string format) => double.IsFinite(value) ? value.ToString(format) : "–";
}

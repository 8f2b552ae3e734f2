using System.Globalization;
using TransactionsDemo.Bank;
using TransactionsDemo.Comparison;
using TransactionsDemo.Probes;

namespace TransactionsDemo.Report;

/// <summary>The figures that matter of all rounds side by side: medians, and their range in brackets.</summary>
/// <param name="Columns">The headings, the first of them empty.</param>
/// <param name="Rows">As many cells in each.</param>
internal sealed record FiguresTable(IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows)
{
    private static readonly (string Name, string Format, Func<RunFigures, double> ValueOf)[] s_figures =
    [
        ("transfers a second", "N0", static run => run.TransfersPerSecond),
        ("processor time a transfer, µs", "N0", static run => run.CpuMicrosecondsPerTransfer),
        ("latency p50, ms", "N1", static run => run.LatencyMilliseconds.P50),
        ("latency p99, ms", "N0", static run => run.LatencyMilliseconds.P99),
        ("pending static timers after the load", "N0", static run => run.EngineTimersPending ?? double.NaN),
        ("response timeouts of 200 ms, late by p50, ms", "N0", static run => ResponseLateness(run, Middle)),
        ("  late by at most, ms", "N0", static run => ResponseLateness(run, Enumerable.Max)),
        ("time to stop the silos, s", "N2", static run => run.Silos > 0 ? run.CloseMilliseconds / 1000 : double.NaN),
    ];

    /// <summary>Those of a process, which mean something where it has run nothing else.</summary>
    private static readonly (string Name, string Format, Func<RunFigures, double> ValueOf)[] s_ofProcess =
    [
        ("memory: peak working set, MB", "N0", static run => run.PeakWorkingSetBytes / 1e6),
        ("memory: live objects after the load, MB", "N0", static run => run.LiveBytes / 1e6),
    ];

    /// <summary>Those that differ between kinds of timers that serve the same bank.</summary>
    private static readonly (string Name, string Format, Func<RunFigures, double> ValueOf)[] s_ofKinds =
    [
        ("timers that fired early", "N0", static run => run.TimersFiredEarly),
        ("failed otherwise than planned, %", "N2", static run => 100.0 * Unplanned(run) / Math.Max(1, run.Finished)),
        ("waits for a lock", "N0", static run => run.LockWaits),
    ];

    private static readonly (string Name, ProbeKind Kind)[] s_early =
    [
        ("early: waits of the application", ProbeKind.Application),
        ("early: Orleans' static timers, asked for 3 s", ProbeKind.StaticTimer),
    ];

    /// <summary>Puts columns side by side.</summary>
    /// <param name="columns">The columns.</param>
    /// <param name="isPair">
    /// Whether there are two, each of whose rounds had a process of its own: then there are memory and ratios too.
    /// Otherwise there are failures and waits for locks.
    /// </param>
    public static FiguresTable Of(IReadOnlyList<ReportColumn> columns, bool isPair)
    {
        var rows = new List<IReadOnlyList<string>>();
        foreach (var (name, format, valueOf) in s_figures.Concat(isPair ? s_ofProcess : s_ofKinds))
        {
            var values = columns.Select(column => column.Rounds.Select(valueOf).ToList()).ToList();
            var cells = values.ConvertAll(each => Text(Spread.Of(each), format));
            if (cells.Any(static cell => cell.Length > 0))
            {
                rows.Add([name, .. cells, .. Last(Ratio)]);
            }

            string Ratio() => Text(Spread.Ratio(values[1], values[0]), "N2");
        }

        foreach (var (name, kind) in s_early)
        {
            var cells = columns
                .Select(column => Early([.. column.Rounds.SelectMany(run => run.ProbesOf(kind))]))
                .ToList();
            if (cells.Any(static cell => cell.Length > 0))
            {
                rows.Add([name, .. cells, .. Last(static () => string.Empty)]);
            }
        }

        rows.Add(["money", .. columns.Select(Money), .. Last(static () => string.Empty)]);
        return new FiguresTable(
            [string.Empty, .. columns.Select(static column => column.Name), .. Last(static () => "ratio")], rows);

        string[] Last(Func<string> cell) => isPair ? [cell()] : [];
    }

    /// <summary>The lines of the table in Markdown.</summary>
    public IEnumerable<string> Markdown() =>
    [
        Line(Columns),
        $"|---|{string.Concat(Enumerable.Repeat("---:|", Columns.Count - 1))}",
        .. Rows.Select(Line),
    ];

    private static string Line(IReadOnlyList<string> cells) => $"| {string.Join(" | ", cells).TrimStart()} |";

    private static string Text(Spread spread, string format)
    {
        if (!double.IsFinite(spread.Median))
        {
            return string.Empty;
        }

        return spread.Min == spread.Max
            ? Text(spread.Median)
            : $"{Text(spread.Median)} ({Text(spread.Min)} to {Text(spread.Max)})";

        string Text(double value) => value.ToString(format, CultureInfo.InvariantCulture);
    }

    private static string Early(List<ProbeSample> probes)
    {
        var early = probes.Where(static probe => probe.IsEarly).ToList();
        return (probes.Count, early.Count) switch
        {
            (0, _) => string.Empty,
            (_, 0) => $"0 of {probes.Count:N0}",
            _ => $"{early.Count:N0} of {probes.Count:N0}, by up to "
                + $"{-early.Min(static probe => probe.LatenessMilliseconds):N1} ms",
        };
    }

    private static string Money(ReportColumn column) =>
        column.Rounds.All(static run => run.Errors.Count == 0) ? "all there" : "WRONG";

    private static long Unplanned(RunFigures run) => run.Outcomes
        .Where(static outcome => outcome.Key is not (TransferOutcome.Committed or TransferOutcome.Refused))
        .Sum(static outcome => outcome.Value);

    private static double ResponseLateness(RunFigures run, Func<IEnumerable<double>, double> choose)
    {
        var lateness = run.ProbesOf(ProbeKind.ResponseTimeout).Select(static probe => probe.LatenessMilliseconds);
        return lateness.Any() ? choose(lateness) : double.NaN;
    }

    private static double Middle(IEnumerable<double> values) => Spread.Of(values).Median;
}

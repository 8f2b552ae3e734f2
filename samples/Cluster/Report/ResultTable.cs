using Cluster.Bank;
using Cluster.Load;
using Cluster.Rounds;
using Cluster.Silos;

namespace Cluster.Report;

/// <summary>The figures of all rounds, in Markdown or as cells.</summary>
internal static class ResultTable
{
    private static readonly string[] s_brief =
    [
        "scenario", "preset", "variant", "committed", "longest without a commit, s", "of one account, s",
        "90 % again after, s", "settled at, %", "audit",
    ];

    private static readonly (string Name, Func<RoundResult, string> TextOf)[] s_columns =
    [
        ("scenario", static round => round.Scenario),
        ("preset", static round => round.Preset),
        ("variant", static round => round.Variant),
        ("a second before", static round => $"{round.RateAtFirst:N0}"),
        ("committed", static round => $"{round.Fates.GetValueOrDefault(Fate.Committed):N0}"),
        ("aborted", static round => $"{round.Fates.GetValueOrDefault(Fate.Aborted):N0}"),
        ("not told", static round => $"{round.Fates.GetValueOrDefault(Fate.InDoubt):N0}"),
        ("longest without a commit, s", static round => $"{round.LongestPause}"),
        ("of one account, s", static round => $"{round.LongestPauseOfAccount:N0}"),
        ("90 % again after, s", static round => round.RecoveryText),
        ("settled at, %", static round => string.Join(
            ", ", round.SettledAt.Select(static share => $"{100 * share:N0}"))),
        ("waits", static round => Sum(round.Silos, static waits => waits.Ended + waits.Reminders)),
        ("early, without the plugin", static round => Early(round, hasPlugin: false)),
        ("early, with it", static round => Early(round, hasPlugin: true)),
        ("lost", static round => Sum(round.Silos, static waits => waits.Lost)),
        ("timeouts late p50, p99, ms", Lateness),
        ("processor s", static round => $"{round.Silos.Sum(static silo => silo.Figures.ProcessorSeconds):N0}"),
        ("MB", static round => $"{round.Megabytes:N0}"),
        ("warnings", static round => $"{round.Silos.Sum(static silo => silo.Figures.Log.Values.Sum()):N0}"),
        ("audit", static round => round.Errors.Count == 0 ? "passed" : $"{round.Errors.Count} WRONG"),
    ];

    /// <summary>The most important columns, for a terminal.</summary>
    public static string Brief(IReadOnlyList<RoundResult> rounds) => Lines(
        Table(Rows([.. s_columns.Where(static column => s_brief.Contains(column.Name))], rounds)));

    public static string Of(IReadOnlyList<RoundResult> rounds) => Lines(
    [
        .. Table(Rows(rounds)),
        string.Empty,
        "Log entries of the silos, the most frequent events:",
        string.Empty,
        .. LogEntries(rounds).Select(static entry => $"- {entry}"),
    ]);

    /// <summary>The names of the columns, and the cells of each round.</summary>
    public static string[][] Rows(IReadOnlyList<RoundResult> rounds) => Rows(s_columns, rounds);

    public static IEnumerable<string> LogEntries(IReadOnlyList<RoundResult> rounds) =>
        rounds.Select(static round => $"{round.Title}: " + string.Join(", ", round.Silos
            .SelectMany(static silo => silo.Figures.Log)
            .GroupBy(static entry => entry.Key, static entry => entry.Value)
            .OrderByDescending(Enumerable.Sum)
            .Take(6)
            .Select(static group => $"{group.Key} {group.Sum():N0}")));

    private static string[][] Rows(
        (string Name, Func<RoundResult, string> TextOf)[] columns, IReadOnlyList<RoundResult> rounds) =>
    [
        [.. columns.Select(static column => column.Name)],
        .. rounds.Select(round => columns.Select(column => column.TextOf(round)).ToArray()),
    ];

    private static IEnumerable<string> Table(string[][] rows) =>
        [Line(rows[0]), Line(rows[0].Select(static _ => "---")), .. rows.Skip(1).Select(Line)];

    private static string Lines(IEnumerable<string> lines) => string.Concat(lines.Select(static line => line + '\n'));

    private static string Line(IEnumerable<string> cells) => $"| {string.Join(" | ", cells)} |";

    private static string Early(RoundResult round, bool hasPlugin)
    {
        var silos = round.Silos.Where(silo => silo.HasPlugin == hasPlugin).ToList();
        return silos.Count == 0 ? "-" : Sum(silos, static waits => waits.Early + waits.EarlyReminders);
    }

    private static string Sum(
        IEnumerable<(bool HasPlugin, SiloFigures Figures)> silos, Func<WaitFigures, long> figureOf) =>
        $"{silos.Sum(silo => figureOf(silo.Figures.Waits)):N0}";

    private static string Lateness(RoundResult round)
    {
        double[] sorted = [.. round.Lateness.Order()];
        return sorted.Length == 0 ? "-" : $"{sorted[sorted.Length / 2]:N0}, {sorted[sorted.Length * 99 / 100]:N0}";
    }
}

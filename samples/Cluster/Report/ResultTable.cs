using Cluster.Bank;
using Cluster.Load;
using Cluster.Rounds;

namespace Cluster.Report;

/// <summary>The figures of all rounds, in Markdown.</summary>
internal static class ResultTable
{
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
        ("90 % again after, s", static round => string.Join(
            ", ", round.Recoveries.Select(static after => after is null ? "not" : $"{after:N0}"))),
        ("settled at, %", static round => string.Join(
            ", ", round.SettledAt.Select(static share => $"{100 * share:N0}"))),
        ("waits", static round => Sum(round, static waits => waits.Ended)),
        ("early", static round => Sum(round, static waits => waits.Early)),
        ("lost", static round => Sum(round, static waits => waits.Lost)),
        ("reminders", static round => Sum(round, static waits => waits.Reminders)),
        ("early", static round => Sum(round, static waits => waits.EarlyReminders)),
        ("timeouts late p50, p99, ms", Lateness),
        ("processor s", static round => $"{round.Silos.Sum(static silo => silo.ProcessorSeconds):N0}"),
        ("MB", static round => $"{round.Megabytes:N0}"),
        ("warnings", static round => $"{round.Silos.Sum(static silo => silo.Log.Values.Sum()):N0}"),
        ("audit", static round => round.Errors.Count == 0 ? "passed" : $"{round.Errors.Count} WRONG"),
    ];

    public static string Of(IReadOnlyList<RoundResult> rounds) => string.Concat(((string[])
    [
        Line(static column => column.Name),
        Line(static _ => "---"),
        .. rounds.Select(round => Line(column => column.TextOf(round))),
        string.Empty,
        "Log entries of the silos, the most frequent events:",
        string.Empty,
        .. rounds.Select(static round => $"- {round.Title}: " + string.Join(", ", round.Silos
            .SelectMany(static silo => silo.Log)
            .GroupBy(static entry => entry.Key, static entry => entry.Value)
            .OrderByDescending(Enumerable.Sum)
            .Take(6)
            .Select(static group => $"{group.Key} {group.Sum():N0}"))),
    ]).Select(static line => line + '\n'));

    private static string Line(Func<(string Name, Func<RoundResult, string> TextOf), string> textOf) =>
        $"| {string.Join(" | ", s_columns.Select(textOf))} |";

    private static string Sum(RoundResult round, Func<WaitFigures, long> figureOf) =>
        $"{round.Silos.Sum(silo => figureOf(silo.Waits)):N0}";

    private static string Lateness(RoundResult round)
    {
        double[] sorted = [.. round.Lateness.Order()];
        return sorted.Length == 0 ? "-" : $"{sorted[sorted.Length / 2]:N0}, {sorted[sorted.Length * 99 / 100]:N0}";
    }
}

using Cluster.Load;
using Cluster.Rounds;

namespace Cluster.Report;

/// <summary>The figures of all rounds, in Markdown.</summary>
internal static class ResultTable
{
    private static readonly (string Name, Func<RoundResult, string> TextOf)[] s_columns =
    [
        ("scenario", static round => round.Scenario),
        ("variant", static round => round.Title),
        ("a second before", static round => $"{round.RateBefore:N0}"),
        ("committed", static round => $"{round.Transfers.Count(static each => each.Fate == Fate.Committed):N0}"),
        ("aborted", static round => $"{round.Transfers.Count(static each => each.Fate == Fate.Aborted):N0}"),
        ("not told", static round => $"{round.Transfers.Count(static each => each.Fate == Fate.InDoubt):N0}"),
        ("longest without a commit, s", static round => $"{round.LongestPause}"),
        ("90 % again after, s", Recoveries),
        ("waits early", static round => $"{round.Waits.Early:N0} of {round.Waits.Ended:N0}"),
        ("lost", static round => $"{round.Waits.Lost}"),
        ("reminders early", static round => $"{round.Waits.EarlyReminders} of {round.Waits.Reminders}"),
        ("timeouts late p50, p99, ms", Lateness),
        ("processor s", static round => $"{round.ProcessorSeconds:N0}"),
        ("MB", static round => $"{round.Megabytes:N0}"),
        ("warnings", static round => $"{round.Log.Values.Sum():N0}"),
        ("money, transfers", static round => round.Errors.Count == 0 ? "as told" : $"{round.Errors.Count} WRONG"),
    ];

    public static IEnumerable<string> Of(IReadOnlyList<RoundResult> rounds) =>
    [
        Line(static column => column.Name),
        Line(static _ => "---"),
        .. rounds.Select(round => Line(column => column.TextOf(round))),
        string.Empty,
        "Log entries of the silos, the most frequent events:",
        string.Empty,
        .. rounds.Select(static round => $"- {round.Scenario}, {round.Title}: " + string.Join(", ", round.Log
            .OrderByDescending(static entry => entry.Value)
            .Take(6)
            .Select(static entry => $"{entry.Key} {entry.Value:N0}"))),
    ];

    private static string Line(Func<(string Name, Func<RoundResult, string> TextOf), string> textOf) =>
        $"| {string.Join(" | ", s_columns.Select(textOf))} |";

    /// <summary>From each thing that was done, until the next one.</summary>
    private static string Recoveries(RoundResult round)
    {
        var ends = round.Marks.Skip(1).Select(static mark => mark.At).Append(round.CommittedBySecond.Count);
        return string.Join("; ", round.Marks.Zip(ends, (mark, end) =>
            $"{mark.What}: {(round.RecoveryAfter(mark.At, end) is { } after ? $"{after:N0}" : "not")}"));
    }

    private static string Lateness(RoundResult round)
    {
        double[] sorted = [.. round.Lateness.Order()];
        return sorted.Length == 0 ? "-" : $"{sorted[sorted.Length / 2]:N0}, {sorted[sorted.Length * 99 / 100]:N0}";
    }
}

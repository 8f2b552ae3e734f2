using System.Globalization;
using ScalableTimers.Compare.Aims;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Reporting;

/// <summary>
/// Prints medians over the rounds, and how many times better a contestant was than the one that it is compared with.
/// </summary>
internal sealed class TableReport(bool isMarkdown, TextWriter output) : IReport
{
    private const string LockWaits =
        " Lock waits: how often in a round a thread spun in vain and then slept until a lock of .NET was free. "
        + "A thread never sleeps for the lock of this library's wheels, and its spinning is not counted, so those "
        + "rows have no figure.";

    // How many rounds there are depends on the workload, so each says it itself.
    public void Begin(Machine machine, Scale scale) =>
        output.WriteLine($"{machine}. Figures are medians of alternating rounds.");

    public void Add(WorkloadResult result)
    {
        var workload = result.Workload;
        var rounds = result.Contestants[0].Rounds.Count;
        WriteHeading(
            workload.Name,
            workload.Question
                + (workload.ComparedBy is null ? string.Empty : $" Compared by {workload.ComparedBy}.")
                + (workload.CountsLockWaits ? LockWaits : string.Empty)
                + $" {(rounds == 1 ? "One round" : $"{rounds} rounds")}.");
        var columns = Column.All.Where(
            column => result.Contestants.Any(contestant => !double.IsNaN(contestant.Median(column.Value))))
            .ToList();
        string[] ratioTitles = workload.ComparedBy is null ? [] : ["better by (spread)", "against"];
        WriteTable(
            ["timers", .. columns.Select(static column => column.Title), .. ratioTitles],
            [
                .. result.Contestants.Select(
                    contestant => Row(contestant, columns)[..(1 + columns.Count + ratioTitles.Length)]),
            ],
            textColumns: 1);
    }

    public void End(IReadOnlyList<AimOutcome> outcomes)
    {
        if (outcomes.Count > 0)
        {
            WriteHeading("targets", "What we aim for, and what this run reached.");
            WriteTable(
                ["workload", "target", "measured", "reached"],
                [
                    .. outcomes.Select(
                        static outcome => new[] { outcome.Subject, outcome.Text, outcome.Measured, Reached(outcome) }),
                ],
                textColumns: 4);
        }
    }

    private static string[] Row(ContestantResult contestant, IEnumerable<Column> columns) =>
    [
        contestant.Name,
        .. columns.Select(column => Figure.Text(contestant.Median(column.Value))),
        contestant.Ratios.Count == 0 ? "" : Ratios(contestant),
        contestant.Against ?? "",
    ];

    private static string Reached(AimOutcome outcome) =>
        !outcome.IsReached ? "**no**"
        : outcome.NeedsDriverThread ? $"yes, with {nameof(FiringMode.DriverThread)}"
        : "yes";

    private static string Ratios(ContestantResult contestant) => string.Create(
        CultureInfo.InvariantCulture,
        $"{contestant.Ratio:0.0#} ({contestant.Ratios[0]:0.0#} to {contestant.Ratios[^1]:0.0#})");

    private void WriteHeading(string name, string text)
    {
        output.WriteLine();
        output.WriteLine(isMarkdown ? $"### {name}\n\n{text}\n" : $"{name}: {text}");
    }

    private void WriteTable(string[] titles, string[][] rows, int textColumns)
    {
        bool IsText(int column) => column < textColumns || titles[column] == "against";
        if (isMarkdown)
        {
            output.WriteLine($"| {string.Join(" | ", titles)} |");
            output.WriteLine($"|{string.Concat(titles.Select((_, column) => IsText(column) ? "---|" : "---:|"))}");
            Array.ForEach(rows, row => output.WriteLine($"| {string.Join(" | ", row)} |"));
            return;
        }

        string[][] lines = [titles, .. rows];
        var widths = titles.Select((_, column) => lines.Max(line => line[column].Length)).ToList();
        Array.ForEach(lines, line => output.WriteLine(("  " + string.Join("  ", line.Select((cell, column) =>
            IsText(column) ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column])))).TrimEnd()));
    }
}

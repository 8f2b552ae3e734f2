using System.Globalization;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Reporting;

/// <summary>Prints medians over the rounds, and how many times better a contestant was than its reference.</summary>
internal static class Report
{
    internal static void Write(WorkloadResult result)
    {
        var workload = result.Workload;
        var columns = Column.All
            .Where(column => result.Contestants.Any(
                contestant => !double.IsNaN(result.Median(contestant.Name, column))))
            .ToList();
        string[] titles = ["", .. columns.Select(static column => column.Title), "times better (spread)", "than"];
        Console.WriteLine(
            $"\n### {workload.Name}\n\n{workload.Question} Compared by {workload.ComparedBy.Title}. "
            + $"Medians of {result.Rounds.Count} alternating rounds.\n");
        Console.WriteLine($"| {string.Join(" | ", titles)} |");
        Console.WriteLine($"|---|{string.Concat(Enumerable.Repeat("---:|", titles.Length - 1))}");
        foreach (var contestant in result.Contestants)
        {
            Console.WriteLine($"| {string.Join(" | ", Row(result, contestant.Name, columns))} |");
        }
    }

    private static string[] Row(WorkloadResult result, string contestant, IEnumerable<Column> columns)
    {
        var ratio = result.Ratio(contestant, result.Workload.ComparedBy);
        return
        [
            contestant,
            .. columns.Select(column => Text(result.Median(contestant, column))),
            Text(ratio),
            ratio is null ? "" : result.Against(contestant),
        ];
    }

    private static string Text((double Median, double Least, double Most)? ratio) =>
        ratio is var (median, least, most)
            ? string.Create(CultureInfo.InvariantCulture, $"{median:0.0#} ({least:0.0#} to {most:0.0#})")
            : "";

    // Only the significant digits.
    private static string Text(double value)
    {
        if (double.IsNaN(value))
        {
            return "";
        }

        var format = Math.Abs(value) < 10 ? "0.##" : Math.Abs(value) < 100 ? "0.#" : "N0";
        var text = value.ToString(format, CultureInfo.InvariantCulture);
        return text == "-0" ? "0" : text;
    }
}

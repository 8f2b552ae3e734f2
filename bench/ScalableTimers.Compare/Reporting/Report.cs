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
        WriteTable(
            workload.Name,
            $"{workload.Question} Compared by {workload.ComparedBy.Title}. "
            + $"Medians of {result.Rounds.Count} alternating rounds.",
            ["", .. columns.Select(static column => column.Title), "times better (spread)", "than"],
            result.Contestants.Select(contestant => Row(result, contestant.Name, columns)));
    }

    /// <summary>Prints the summary for README.</summary>
    internal static void WriteSummary(IEnumerable<WorkloadResult> results)
    {
        var rows = results.SelectMany(static result => result.Workload.Headlines.Select(headline => (string[])
        [
            headline.Text,
            Text(result.Ratio(headline.Contestant, headline.Column)),
            Text(result, result.Against(headline.Contestant), headline.Column),
            Text(result, headline.Contestant, headline.Column),
        ])).ToList();
        if (rows.Count > 0)
        {
            WriteTable(
                "summary",
                "Of the tables above. Times better: medians of the ratios of the same round, the least and the most.",
                ["", "times better than .NET's", ".NET's", "ours"],
                rows);
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

    private static void WriteTable(string name, string text, string[] titles, IEnumerable<string[]> rows)
    {
        Console.WriteLine($"\n### {name}\n\n{text}\n");
        Console.WriteLine($"| {string.Join(" | ", titles)} |");
        Console.WriteLine($"|---|{string.Concat(Enumerable.Repeat("---:|", titles.Length - 1))}");
        foreach (var row in rows)
        {
            Console.WriteLine($"| {string.Join(" | ", row)} |");
        }
    }

    private static string Text(WorkloadResult result, string contestant, Column column) =>
        $"`{contestant}` {Text(result.Median(contestant, column))} {column.Title}";

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

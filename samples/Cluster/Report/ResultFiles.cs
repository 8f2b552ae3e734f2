using Cluster.Rounds;

namespace Cluster.Report;

/// <summary>Writes a page, or the tables in Markdown with a chart of each scenario beside them.</summary>
internal static class ResultFiles
{
    private const string Markdown = ".md";

    public static async Task WriteAsync(string report, IReadOnlyList<RoundResult> results)
    {
        if (Path.GetExtension(report) != Markdown)
        {
            await File.WriteAllTextAsync(report, ResultPage.Of(results));
            return;
        }

        await File.WriteAllTextAsync(report, ResultTable.Of(results));
        foreach (var scenario in results.GroupBy(static result => result.Scenario))
        {
            var chart = $"{report[..^Markdown.Length]}-{scenario.Key}.svg";
            await File.WriteAllTextAsync(chart, ResultChart.Of([.. scenario]));
        }
    }
}

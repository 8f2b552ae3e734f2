using System.Text.Json;
using System.Text.RegularExpressions;

namespace ScalableTimers.Tests.Documentation;

/// <summary>
/// The dashboard only asks for metrics and tags that <c>docs/metrics.md</c> lists, and shows what the alerts ask for.
/// </summary>
/// <remarks><see cref="InstrumentTableTests"/> compares that page with the code.</remarks>
public sealed partial class DashboardTests
{
    private static readonly string[] s_ofPrometheus = ["le", "sum", "by", "rate"];

    // Seen to fail with another unit of a histogram, and with a tag that the instrument does not have.
    [Fact]
    public void Queries_UseExistingInstruments()
    {
        var queries = Queries();
        var metrics = Rows().ToDictionary();

        Assert.NotEmpty(queries);
        Assert.All(queries, query =>
        {
            var metric = Assert.Single(Metric.Matches(query)).Value;
            Assert.True(metrics.TryGetValue(metric, out var tags), $"{metric} is not an instrument.");
            Assert.Subset(tags, Tags.Matches(query).SelectMany(static match => Word.Matches(match.Groups[1].Value))
                .Select(static word => word.Value).Except(s_ofPrometheus).ToHashSet());
        });
    }

    // Seen to fail with an alert on a metric that no panel shows.
    [Fact]
    public void Alerts_AskForWhatAPanelShows()
    {
        var alerts = Metric.Matches(File.ReadAllText(Repository.Path("docs", "configuration.md")));

        Assert.NotEmpty(alerts);
        Assert.Subset(
            Queries().Select(static query => Metric.Match(query).Value).ToHashSet(),
            alerts.Select(static alert => alert.Value).ToHashSet());
    }

    private static List<string> Queries()
    {
        using var dashboard = JsonDocument.Parse(
            File.ReadAllText(Repository.Path("docs", "dashboards", "scalable-timers.json")));
        return
        [
            .. dashboard.RootElement.GetProperty("panels").EnumerateArray()
                .SelectMany(static panel => panel.GetProperty("targets").EnumerateArray())
                .Select(static target => target.GetProperty("expr").GetString()!),
        ];
    }

    // Names as exporters for Prometheus write them.
    private static IEnumerable<KeyValuePair<string, HashSet<string>>> Rows() =>
        File.ReadLines(Repository.Path("docs", "metrics.md"))
            .Where(static line => line.StartsWith("| `", StringComparison.Ordinal))
            .Select(static line => line.Replace("`", "", StringComparison.Ordinal))
            .Select(static line => line.Split('|', StringSplitOptions.TrimEntries))
            .Select(static cells => KeyValuePair.Create(
                cells[1].Replace('.', '_')
                    + (cells[3] == "s" ? "_seconds" : "")
                    + cells[2] switch { "counter" => "_total", "histogram" => "_bucket", _ => "" },
                cells[4].Replace('.', '_').Split(", ").ToHashSet()));

    [GeneratedRegex(@"scalable_timers_\w+")]
    private static partial Regex Metric { get; }

    /// <summary>The labels that select or group series.</summary>
    [GeneratedRegex(@"(?:by \(|\{)([^)}=]*)")]
    private static partial Regex Tags { get; }

    [GeneratedRegex(@"\w+")]
    private static partial Regex Word { get; }
}

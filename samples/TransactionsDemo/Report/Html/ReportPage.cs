using TransactionsDemo.Probes;

namespace TransactionsDemo.Report.Html;

/// <summary>
/// A report as one page: it needs no other file and no script, asks nobody for anything, and can be read without
/// colours.
/// </summary>
internal static class ReportPage
{
    private static readonly (ProbeKind Kind, string Title)[] s_kinds =
    [
        (ProbeKind.Application, "Waits of the application, under load"),
        (ProbeKind.StaticTimer, "Orleans' static timers, under load"),
        (ProbeKind.ResponseTimeout, "Response timeouts of calls that are not answered, under load"),
    ];

    public static Task WriteAsync(FileInfo file, ReportContent content) =>
        File.WriteAllTextAsync(file.FullName, Build(content));

    public static string Build(ReportContent content) => Svg.Lines(
    [
        "<!DOCTYPE html>",
        """<html lang="en"><head><meta charset="utf-8">""",
        """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">""",
        """<meta name="viewport" content="width=device-width, initial-scale=1">""",
        $"<title>{Svg.Text(content.Title)}</title>",
        $"<style>{PageStyle.Css}</style></head><body>",
        Look.Patterns(),
        $"<h1>{Svg.Text(content.Title)}</h1>",
        .. content.Notes.Select(static note => $"<p>{Svg.Text(note)}</p>"),
        Table(content.Figures),
        .. OverTime(content.Columns),
        Distribution(content.Columns),
        .. s_kinds.Select(kind => Lateness(content.Columns, kind.Kind, kind.Title)),
        content.Delays.Count == 0 ? string.Empty : LatenessChart.Draw(
            "A few delays, nothing else going on",
            Rows(content.Columns, column => content.Delays[column])),
        content.Columns.Any(static column => column.Rounds[^1].Phases.Any(static phase => phase.Count > 0))
            ? PhaseChart.Draw(content.Columns)
            : string.Empty,
        "</body></html>",
    ]);

    private static string Table(FiguresTable table) => Svg.Lines(
    [
        "<table><thead><tr>",
        .. table.Columns.Select(static cell => $"<th>{Svg.Text(cell)}</th>"),
        "</tr></thead><tbody>",
        .. table.Rows.Select(static row =>
            $"<tr>{string.Concat(row.Select(static cell => $"<td>{Svg.Text(cell)}</td>"))}</tr>"),
        "</tbody></table>",
    ]);

    /// <summary>Rounds are thin lines, and their mean a thick one.</summary>
    private static IEnumerable<string> OverTime(IReadOnlyList<ReportColumn> columns)
    {
        yield return LineChart.Draw(
            "Transfers a second, over time: the mean of the rounds, and each of them thin",
            "seconds since the load began",
            columns.SelectMany((column, index) =>
                Curves.OverTime(column, index, string.Empty, static slot => slot.TransfersPerSecond)));
        yield return LineChart.Draw(
            "Latency over time, in milliseconds: p50 and p99, the mean of the rounds",
            "seconds since the load began",
            columns.SelectMany((column, index) => new[]
            {
                Curves.Mean(column, index, ", p99", static slot => slot.P99),
                Curves.Mean(column, index, ", p50", static slot => slot.P50),
            }),
            isYLogarithmic: true);
    }

    private static string Distribution(IReadOnlyList<ReportColumn> columns) => LineChart.Draw(
        "Latencies: per cent of the transfers that took no longer, all rounds",
        "milliseconds",
        columns.Select(Curves.Distribution),
        isXLogarithmic: true);

    private static string Lateness(IReadOnlyList<ReportColumn> columns, ProbeKind kind, string title)
    {
        var rows = Rows(columns, column => columns[column].Rounds.SelectMany(run => run.ProbesOf(kind)));
        return rows.Count == 0 ? string.Empty : LatenessChart.Draw(title, rows);
    }

    /// <summary>A row for each time asked for, and in it for each column.</summary>
    private static List<(int Column, string Name, List<ProbeSample> Samples)> Rows(
        IReadOnlyList<ReportColumn> columns, Func<int, IEnumerable<ProbeSample>> samplesOf) =>
    [
        .. from index in Enumerable.Range(0, columns.Count)
           from sample in samplesOf(index)
           group sample by (sample.AskedMilliseconds, Column: index) into same
           orderby same.Key
           select (
               same.Key.Column,
               $"{columns[same.Key.Column].Name}: asked {Axis.TextOf(same.Key.AskedMilliseconds)} ms",
               same.ToList()),
    ];
}

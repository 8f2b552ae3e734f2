using System.Globalization;

namespace TransactionsDemo.Report.Html;

/// <summary>How long the phases of transactions took: two bars for each column of the report.</summary>
internal static class PhaseChart
{
    private const double BarHeight = 15;
    private const double PhaseGap = 22;

    public static string Draw(IReadOnlyList<ReportColumn> columns)
    {
        var last = columns.Select(static column => column.Rounds[^1].Phases.Where(static phase => phase.Count > 0))
            .Select(static phases => phases.ToDictionary(static phase => phase.Operation)).ToList();
        var names = last.SelectMany(static phases => phases.Keys).Distinct().ToList();
        var x = Axis.Logarithmic(
            last.SelectMany(static phases => phases.Values.Select(static phase => phase.P99TimeMs)).Append(0.01),
            least: 0.01,
            Frame.Left,
            Frame.Right);
        var bars = new List<string>();
        var y = Frame.Top;
        foreach (var name in names)
        {
            bars.Add(Svg.Label(Frame.Left + 4, y + 13, name, style: "name"));
            y += 18;
            for (var column = 0; column < columns.Count; column++)
            {
                if (last[column].TryGetValue(name, out var phase))
                {
                    bars.Add(Bar(phase.P50TimeMs, phase.P99TimeMs, column, columns[column].Name, y, x));
                    y += BarHeight;
                }
            }

            y += PhaseGap - 18;
        }

        return Frame.Draw(
            "Phases of the last round: up to the median, and up to the 99th percentile",
            y,
            x,
            "milliseconds",
            y: null,
            bars);
    }

    private static string Bar(double p50, double p99, int column, string name, double y, Axis x)
    {
        var text = string.Create(CultureInfo.InvariantCulture, $"{name}: {p50:N2}, {p99:N2}");
        return Rectangle(p99, $"url(#{Look.PatternId(column)})") + Rectangle(p50, Look.Of(column).Color)
            + Svg.Label(Frame.Right + 8, y + 10, text);

        string Rectangle(double value, string fill) =>
            $"""<path class="bar" d="M{Svg.Number(Frame.Left)},{Svg.Number(y)}H{Svg.Number(x.At(value))}v11H"""
            + $"""{Svg.Number(Frame.Left)}z" fill="{fill}" stroke="{Look.Of(column).Color}"/>""";
    }
}

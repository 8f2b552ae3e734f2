using System.Globalization;
using TransactionsDemo.Probes;

namespace TransactionsDemo.Report.Html;

/// <summary>
/// How much later than asked for times ended: a row for each column of the report and time asked for, a mark for each
/// sample, and how it was in words.
/// </summary>
internal static class LatenessChart
{
    private const double RowHeight = 34;

    public static string Draw(string title, IReadOnlyList<(int Column, string Name, List<ProbeSample> Samples)> rows)
    {
        var bottom = Frame.Top + (rows.Count * RowHeight) + 4;
        var x = Axis.Linear(
            rows.SelectMany(static row => row.Samples.Select(static sample => sample.LatenessMilliseconds)),
            Frame.Left,
            Frame.Right);
        return Frame.Draw(
            title,
            bottom,
            x,
            "milliseconds late; left of 0 is early",
            y: null,
            [
                $"""<path class="zero" d="M{Svg.Number(x.At(0))},{Svg.Number(Frame.Top)}V{Svg.Number(bottom)}"/>""",
                .. rows.Select((row, index) => Draw(row, Frame.Top + (RowHeight * (index + 0.5)), x)),
            ]);
    }

    private static string Draw((int Column, string Name, List<ProbeSample> Samples) row, double y, Axis x)
    {
        var look = Look.Of(row.Column);

        // Spread over the height of the row, so that equal ones do not hide each other.
        var points = row.Samples.Select(
            (sample, index) => (x.At(sample.LatenessMilliseconds), y + 4 + (((index * 7) % 11) - 5)));
        return $"""<path class="mark" d="{Svg.Marks(points, look.Marker)}" stroke="{look.Color}"/>"""
            + Svg.Label(Frame.Left + 4, y - 6, row.Name, style: "name")
            + Svg.Label(Frame.Right + 8, y + 8, Summary(row.Samples), style: "label");
    }

    private static string Summary(List<ProbeSample> samples)
    {
        var early = samples.Count(static sample => sample.IsEarly);
        var (least, most) = (
            samples.Min(static sample => sample.LatenessMilliseconds),
            samples.Max(static sample => sample.LatenessMilliseconds));
        return string.Create(
            CultureInfo.InvariantCulture, $"{early} of {samples.Count} early; {least:N0} to {most:N0}");
    }
}

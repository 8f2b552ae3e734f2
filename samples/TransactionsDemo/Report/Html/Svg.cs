using System.Globalization;
using System.Net;

namespace TransactionsDemo.Report.Html;

/// <summary>Small pieces of SVG and of its text.</summary>
internal static class Svg
{
    public static string Lines(IEnumerable<string> lines) => string.Join('\n', lines);

    /// <summary>A text that may contain anything.</summary>
    public static string Text(string text) => WebUtility.HtmlEncode(text);

    /// <summary>A coordinate, to a tenth of a pixel.</summary>
    public static string Number(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);

    /// <summary>A line through points.</summary>
    public static string Path(IEnumerable<(double X, double Y)> points) => string.Concat(
        points.Select(static (point, index) => $"{(index == 0 ? 'M' : 'L')}{Number(point.X)},{Number(point.Y)}"));

    /// <summary>Marks at points, as one path.</summary>
    public static string Marks(IEnumerable<(double X, double Y)> points, Marker marker) =>
        string.Concat(points.Select(point => $"M{Number(point.X)},{Number(point.Y)}{ShapeOf(marker)}"));

    public static string Label(double x, double y, string text, string anchor = "start", string style = "label") =>
        $"""<text x="{Number(x)}" y="{Number(y)}" text-anchor="{anchor}" class="{style}">{Text(text)}</text>""";

    private static string ShapeOf(Marker marker) => marker switch
    {
        Marker.Dot => "m-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0",
        Marker.Cross => "m-3,-3l6,6m0,-6l-6,6",
        Marker.Square => "m-3,-3h6v6h-6z",
        _ => "m0,-3.5l3.5,6h-7z",
    };
}

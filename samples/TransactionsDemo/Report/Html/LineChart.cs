namespace TransactionsDemo.Report.Html;

/// <summary>Lines over a horizontal axis, each named at its end.</summary>
internal static class LineChart
{
    private const double Bottom = 254;
    private const double LineHeight = 15;

    /// <summary>Draws lines.</summary>
    /// <param name="title">What they show.</param>
    /// <param name="xName">What the horizontal axis means.</param>
    /// <param name="curves">The lines. Those without points are left out.</param>
    /// <param name="isXLogarithmic">Whether the horizontal axis goes by powers of ten.</param>
    /// <param name="isYLogarithmic">The same of the vertical one.</param>
    public static string Draw(
        string title,
        string xName,
        IEnumerable<Curve> curves,
        bool isXLogarithmic = false,
        bool isYLogarithmic = false)
    {
        var drawn = curves.Where(static curve => curve.Points.Count > 0).ToList();
        var x = Scale(drawn.SelectMany(static curve => curve.Points.Select(static point => point.X)), isXLogarithmic);
        var y = Scale(
            drawn.SelectMany(static curve => curve.Points.Select(static point => point.Y)), isYLogarithmic, isUp: true);
        var lines = drawn.Select(curve =>
            Draw(curve, [.. curve.Points.Select(point => (x.At(point.X), y.At(point.Y)))]));
        var named = drawn.Where(static curve => curve.Name.Length > 0).ToList();
        return Frame.Draw(title, Bottom, x, xName, y, [.. lines, .. Names(named, point => y.At(point))]);
    }

    private static Axis Scale(IEnumerable<double> values, bool isLogarithmic, bool isUp = false)
    {
        var (first, last) = isUp ? (Bottom, Frame.Top) : (Frame.Left, Frame.Right);
        return isLogarithmic
            ? Axis.Logarithmic(values, least: 0.1, first, last)
            : Axis.Linear(values, first, last);
    }

    private static string Draw(Curve curve, (double X, double Y)[] points)
    {
        var look = Look.Of(curve.Column);
        var line = $"""<path class="line{(curve.IsThin ? " thin" : string.Empty)}" d="{Svg.Path(points)}" """
            + $"""stroke="{look.Color}" stroke-dasharray="{look.Dash}"/>""";
        return curve.IsThin
            ? line
            : $"""{line}<path class="mark" d="{Svg.Marks([points[^1]], look.Marker)}" stroke="{look.Color}"/>""";
    }

    /// <summary>At the ends of their lines, but one below the other.</summary>
    private static IEnumerable<string> Names(List<Curve> curves, Func<double, double> heightOf)
    {
        var lowest = double.NegativeInfinity;
        foreach (var (curve, height) in curves.Select(curve => (curve, Height: heightOf(curve.Points[^1].Y)))
            .OrderBy(static each => each.Height))
        {
            lowest = Math.Max(height + 4, lowest + LineHeight);
            yield return $"""<g fill="{Look.Of(curve.Column).Color}">"""
                + $"{Svg.Label(Frame.Right + 8, lowest, curve.Name, style: "name")}</g>";
        }
    }
}

namespace TransactionsDemo.Report.Html;

/// <summary>
/// How one column of a report is drawn: besides its colour it has a dash, a marker and a pattern of its own, so that a
/// page can be read without colours.
/// </summary>
internal sealed record Look(string Color, string Dash, Marker Marker, string Pattern)
{
    private static readonly Look[] s_looks =
    [
        new("#b3261e", "7 4", Marker.Cross, "M0,6 L6,0"),
        new("#1a5fb4", "none", Marker.Dot, "M0,0 H6 M0,3 H6"),
        new("#2e7d32", "2 3", Marker.Square, "M3,0 V6"),
        new("#6a3d9a", "10 3 2 3", Marker.Triangle, "M0,0 L6,6 M0,6 L6,0"),
    ];

    public static Look Of(int column) => s_looks[column % s_looks.Length];

    /// <summary>The name under which a page defines the pattern of a column.</summary>
    public static string PatternId(int column) => $"pattern{column % s_looks.Length}";

    /// <summary>The patterns of all columns, to be put on a page once.</summary>
    public static string Patterns() => Svg.Lines(
    [
        """<svg width="0" height="0" aria-hidden="true"><defs>""",
        .. s_looks.Select(static (look, column) =>
            $"""<pattern id="{PatternId(column)}" width="6" height="6" patternUnits="userSpaceOnUse">"""
            + $"""<rect width="6" height="6" fill="{look.Color}" fill-opacity="0.15"/>"""
            + $"""<path d="{look.Pattern}" stroke="{look.Color}" stroke-width="1.5" fill="none"/></pattern>"""),
        "</defs></svg>",
    ]);
}

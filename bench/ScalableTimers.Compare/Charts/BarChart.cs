using System.Globalization;
using System.Text;

namespace ScalableTimers.Compare.Charts;

/// <summary>
/// Horizontal bars in groups, as SVG. Patterns and labels tell the series apart, so no colour is needed.
/// </summary>
/// <param name="Title">What the bars are, with the unit.</param>
/// <param name="Groups">From top to bottom.</param>
internal sealed record BarChart(string Title, IReadOnlyList<BarGroup> Groups)
{
    private const int LabelWidth = 280;
    private const int BarHeight = 16;
    private const int GroupGap = 14;
    private const int Top = 40;

    /// <summary>Room for the number behind the longest bar.</summary>
    private const int NumberWidth = 110;

    private static readonly string[] s_fills = ["#333", "url(#stripes)", "#bbb", "url(#dots)", "#fff"];

    internal string ToSvg()
    {
        var longest = Groups.SelectMany(static group => group.Bars).Max(static bar => bar.Value);
        var height = Top + Groups.Sum(static group => (group.Bars.Count * BarHeight) + GroupGap);
        var svg = new StringBuilder();
        svg.Append(
            """
            <defs>
            <pattern id="stripes" width="6" height="6" patternTransform="rotate(45)" patternUnits="userSpaceOnUse">
            <path fill="#fff" d="M0 0h6v6H0z"/><path fill="#555" d="M0 0h3v6H0z"/></pattern>
            <pattern id="dots" width="6" height="6" patternUnits="userSpaceOnUse">
            <path fill="#fff" d="M0 0h6v6H0z"/><circle cx="3" cy="3" r="1.5" fill="#333"/></pattern>
            </defs>

            """);
        var y = Top;
        foreach (var group in Groups)
        {
            for (var number = 0; number < group.Bars.Count; number++, y += BarHeight)
            {
                AppendBar(svg, group, number, y, longest > 0 ? group.Bars[number].Value / longest : 0);
            }

            y += GroupGap;
        }

        return SvgPage.Of(Title, height, svg.ToString());
    }

    private static void AppendBar(StringBuilder svg, BarGroup group, int number, int y, double share)
    {
        var (series, value, text) = group.Bars[number];
        var length = Math.Max(1, share * (SvgPage.Width - LabelWidth - NumberWidth));
        var fill = s_fills[number % s_fills.Length];
        var baseline = y + BarHeight - 4;
        if (number == 0)
        {
            svg.Append(
                CultureInfo.InvariantCulture,
                $"""<text x="8" y="{baseline}" font-weight="bold">{SvgPage.Encoded(group.Name)}</text>""").Append('\n');
        }

        svg.Append(
            CultureInfo.InvariantCulture,
            $"""
            <text x="{LabelWidth - 6}" y="{baseline}" text-anchor="end">{SvgPage.Encoded(series)}</text>
            <rect x="{LabelWidth}" y="{y + 2}" width="{length:0.#}" height="{BarHeight - 4}"
             fill="{fill}" stroke="#333"/>
            <text x="{LabelWidth + length + 6:0.#}" y="{baseline}">{SvgPage.Encoded(text)}</text>

            """);
    }
}

/// <summary>Bars that belong together.</summary>
/// <param name="Name">Stands beside the first bar.</param>
/// <param name="Bars">The series, its value, and the value as the table has it.</param>
internal sealed record BarGroup(string Name, IReadOnlyList<(string Series, double Value, string Text)> Bars);

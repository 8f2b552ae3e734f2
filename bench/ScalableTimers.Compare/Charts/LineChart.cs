using System.Globalization;
using System.Text;

namespace ScalableTimers.Compare.Charts;

/// <summary>
/// Lines over steps, as SVG, with a logarithmic scale: twice as much is equally far everywhere. Markers, dashes and
/// names beside the lines tell the series apart, so no colour is needed.
/// </summary>
/// <param name="Title">What the lines are, with the unit.</param>
/// <param name="Steps">From left to right.</param>
/// <param name="Series">At most eight.</param>
internal sealed record LineChart(string Title, IReadOnlyList<string> Steps, IReadOnlyList<LineSeries> Series)
{
    private const int Left = 52;
    private const int Right = 440;
    private const int Top = 48;
    private const int Bottom = 348;
    private const int Height = Bottom + 36;
    private const int LabelLeft = Right + 36;
    private const int LabelHeight = 16;

    // Each is drawn around the origin.
    private static readonly string[] s_shapes =
    [
        "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
        "M-4.5 -4.5h9v9h-9z",
        "M0 -6l6 10h-12z",
        "M0 -6.5l6.5 6.5l-6.5 6.5l-6.5 -6.5z",
    ];

    private static readonly string[] s_dashes = ["none", "7 3", "2 3", "9 3 2 3"];

    internal string ToSvg()
    {
        var marks = Marks();
        var svg = new StringBuilder();
        foreach (var mark in marks)
        {
            var y = Y(mark, marks);
            svg.Append(
                CultureInfo.InvariantCulture,
                $"""
                <path d="M{Left} {y:0.#}H{Right}" stroke="#ccc"/>
                <text x="{Left - 6}" y="{y + 4:0.#}" text-anchor="end">{Text(mark)}</text>

                """);
        }

        for (var step = 0; step < Steps.Count; step++)
        {
            var name = SvgPage.Encoded(Steps[step]);
            svg.Append(
                CultureInfo.InvariantCulture,
                $"""<text x="{X(step):0.#}" y="{Bottom + 22}" text-anchor="middle">{name}</text>""").Append('\n');
        }

        var labels = LabelPositions(marks);
        for (var number = 0; number < Series.Count; number++)
        {
            AppendSeries(svg, number, marks, labels[number]);
        }

        return SvgPage.Of(Title, Height, svg.ToString());
    }

    private void AppendSeries(StringBuilder svg, int number, IReadOnlyList<double> marks, double labelY)
    {
        var (name, values) = Series[number];
        var shape = s_shapes[number % s_shapes.Length];

        // The second four have hollow markers.
        var fill = number < s_shapes.Length ? "#333" : "#fff";
        var points = values.Select((value, step) => (X: X(step), Y: Y(value, marks))).ToList();
        var line = string.Join('L', points.Select(
            static point => string.Create(CultureInfo.InvariantCulture, $"{point.X:0.#} {point.Y:0.#}")));
        svg.Append(
            CultureInfo.InvariantCulture,
            $"""
            <path d="M{line}" fill="none" stroke="#333" stroke-width="1.5"
             stroke-dasharray="{s_dashes[number % s_dashes.Length]}"/>
            <path d="M{points[^1].X + 8:0.#} {points[^1].Y:0.#}L{LabelLeft - 12} {labelY:0.#}" stroke="#999"/>

            """);
        foreach (var (x, y) in points.Append((LabelLeft - 2, labelY)))
        {
            svg.Append(
                CultureInfo.InvariantCulture,
                $"""<path transform="translate({x:0.#} {y:0.#})" d="{shape}" fill="{fill}" stroke="#333"/>""")
                .Append('\n');
        }

        svg.Append(
            CultureInfo.InvariantCulture,
            $"""<text x="{LabelLeft + 10}" y="{labelY + 4:0.#}">{SvgPage.Encoded(name)}: {Text(values[^1])}</text>""")
            .Append('\n');
    }

    /// <summary>Where the names stand: beside the ends of their lines, but not on one another.</summary>
    private double[] LabelPositions(IReadOnlyList<double> marks)
    {
        var positions = Series.Select(series => Y(series.Values[^1], marks)).ToArray();
        var fromTop = Enumerable.Range(0, positions.Length).OrderBy(number => positions[number]).ToList();
        var least = double.NegativeInfinity;
        foreach (var number in fromTop)
        {
            positions[number] = Math.Max(positions[number], least);
            least = positions[number] + LabelHeight;
        }

        double most = Bottom;
        foreach (var number in Enumerable.Reverse(fromTop))
        {
            positions[number] = Math.Min(positions[number], most);
            most = positions[number] - LabelHeight;
        }

        return positions;
    }

    /// <summary>1, 2 and 5 times powers of ten, from below the least value to above the greatest.</summary>
    private List<double> Marks()
    {
        var least = Series.SelectMany(static series => series.Values).Min();
        var greatest = Series.SelectMany(static series => series.Values).Max();
        var all = Enumerable.Range(-9, 21)
            .SelectMany(static power => new[] { 1, 2, 5 }.Select(digit => digit * Math.Pow(10, power)))
            .ToList();
        var first = all.FindLastIndex(mark => mark <= least);
        var last = all.FindIndex(mark => mark > greatest);
        return all[first..(last + 1)];
    }

    private double X(int step) => Left + 30 + (step * (Right - Left - 60.0) / Math.Max(1, Steps.Count - 1));

    private static double Y(double value, IReadOnlyList<double> marks) =>
        Bottom - ((Bottom - Top) * Math.Log(value / marks[0]) / Math.Log(marks[^1] / marks[0]));

    private static string Text(double value) =>
        value.ToString(value < 10 ? "0.##" : "N0", CultureInfo.InvariantCulture);
}

/// <summary>One line.</summary>
/// <param name="Name">Stands beside its end, with its last value.</param>
/// <param name="Values">One for each step, all positive.</param>
internal sealed record LineSeries(string Name, IReadOnlyList<double> Values);

using System.Net;
using System.Text;
using System.Text.RegularExpressions;
using Cluster.Rounds;

namespace Cluster.Report;

/// <summary>The committed transfers a second of the rounds of one scenario, as an SVG image.</summary>
/// <remarks>
/// A curve for each round, and above it a row for each kind of fault. All curves have the same scales, so that they can
/// be compared by eye. The numbers are written once, on the first vertical axis and below the last curve.
/// </remarks>
internal static partial class ResultChart
{
    private const int Left = 190;
    private const int Width = 780;
    private const int Height = 110;
    private const int Row = 14;
    private static readonly string[] s_colours = ["#c00", "#555", "#070", "#a50", "#708", "#06a"];

    public static string Of(IReadOnlyCollection<RoundResult> rounds)
    {
        var seconds = Math.Max(1, rounds.Max(static round => round.CommittedBySecond.Count));
        var most = Math.Max(1, rounds.Max(static round => round.CommittedBySecond.DefaultIfEmpty().Max()));
        var panels = new List<string>();
        var bottom = 30;
        foreach (var (number, round) in rounds.Index())
        {
            var faults = round.Marks.ToLookup(static mark => SiloNumber().Replace(mark.What, string.Empty));
            var top = bottom + 25 + (faults.Count * Row);
            bottom = top + Height + 10;
            panels.Add(
                $"""
                <g transform="translate({Left} {top})">
                <text x="{2 - Left}" y="{-8 - (faults.Count * Row)}" font-size="13">{Encode(round.Title)}</text>
                {Grid(seconds, most, number == 0, number == rounds.Count - 1)}
                {Curve(round.CommittedBySecond, seconds, most)}
                {string.Join('\n', faults.Select((all, row) => Faults(all, row, faults.Count, seconds)))}
                </g>
                """);
        }

        return
            $"""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {Left + Width + 20} {bottom + 20}"
              font-family="sans-serif" font-size="11">
            <rect width="100%" height="100%" fill="#fff"/>
            <text x="2" y="20" font-size="15">Committed transfers a second, and the silo that a fault concerns</text>
            {string.Join('\n', panels)}
            </svg>

            """;
    }

    private static string Grid(int seconds, int most, bool isFirst, bool isLast)
    {
        var grid = new StringBuilder();
        foreach (var rate in Ticks(most, 4))
        {
            var y = Height - (rate * Height / (double)most);
            var number = isFirst ? $"""<text x="-5" y="{y + 4:0.#}" text-anchor="end">{rate}</text>""" : null;
            grid.AppendLine($"""<line x2="{Width}" y1="{y:0.#}" y2="{y:0.#}" stroke="#ddd"/>{number}""");
        }

        foreach (var time in Ticks(seconds, 10))
        {
            var x = time * Width / (double)seconds;
            var number = isLast
                ? $"""<text x="{x:0.#}" y="{Height + 17}" text-anchor="middle">{time} s</text>"""
                : null;
            grid.AppendLine($"""<line x1="{x:0.#}" x2="{x:0.#}" y2="{Height + 4}" stroke="#ddd"/>{number}""");
        }

        return grid.ToString().TrimEnd();
    }

    private static string Curve(IEnumerable<int> rates, int seconds, int most)
    {
        var points = rates.Select((rate, second) =>
            $"{second * Width / (double)seconds:0.#},{Height - (rate * Height / (double)most):0.#}");
        return $"""<polyline points="{string.Join(' ', points)}" fill="none" stroke="#236" stroke-width="2"/>""";
    }

    /// <summary>Draws the faults of one kind: its name, and for each a line through the curve and its silo.</summary>
    private static string Faults(IGrouping<string, (double At, string What)> faults, int row, int rows, int seconds)
    {
        var y = -3 - ((rows - 1 - row) * Row);
        var marks = faults.Select(mark => (X: mark.At * Width / seconds, Silo: SiloNumber().Match(mark.What))).Select(
            mark =>
                $"""
                <line x1="{mark.X:0.#}" x2="{mark.X:0.#}" y1="{y}" y2="{Height}" stroke-dasharray="2 3"/>
                <text x="{mark.X:0.#}" y="{y}" text-anchor="middle" paint-order="stroke" stroke="#fff" stroke-width="4"
                >{(mark.Silo.Success ? mark.Silo.Groups[1].Value : "•")}</text>
                """);
        return
            $"""
            <g stroke="{s_colours[row % s_colours.Length]}" fill="{s_colours[row % s_colours.Length]}">
            <text x="-5" y="{y}" text-anchor="end" stroke="none">{Encode(faults.Key)}</text>
            {string.Join('\n', marks)}
            </g>
            """;
    }

    /// <summary>Finds the round numbers up to a limit, as many as there is room for.</summary>
    private static IEnumerable<int> Ticks(int limit, int room)
    {
        int[] steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
        var step = steps.FirstOrDefault(step => limit / step <= room, limit);
        return Enumerable.Range(0, (limit / step) + 1).Select(number => number * step);
    }

    private static string Encode(string text) => WebUtility.HtmlEncode(text);

    /// <summary>The silo that a mark begins with, if it is about one silo.</summary>
    [GeneratedRegex(@"^silo(\d) (?!and )")]
    private static partial Regex SiloNumber();
}

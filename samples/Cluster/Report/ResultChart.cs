using System.Net;
using Cluster.Rounds;

namespace Cluster.Report;

/// <summary>The committed transfers a second of the rounds of one scenario, as an SVG image.</summary>
internal static class ResultChart
{
    private const int Width = 900;
    private const int Height = 130;
    private const int PanelHeight = Height + 50;

    public static string Of(IReadOnlyCollection<RoundResult> rounds)
    {
        // The same scales for all rounds, so that they can be compared by eye.
        var seconds = Math.Max(1, rounds.Max(static round => round.CommittedBySecond.Count));
        var most = Math.Max(1, rounds.Max(static round => round.CommittedBySecond.DefaultIfEmpty().Max()));
        var panels = rounds.Select((round, number) => Panel(round, number * PanelHeight, seconds, most));
        return
            $"""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {Width + 70} {rounds.Count * PanelHeight}"
              font-family="sans-serif" font-size="11">
            <rect width="100%" height="100%" fill="#fff"/>
            {string.Join('\n', panels)}
            </svg>

            """;
    }

    private static string Panel(RoundResult round, int top, int seconds, int most)
    {
        double X(double second) => second * Width / seconds;
        double Y(double rate) => Height - (rate * Height / most);
        var curve = string.Join(
            ' ', round.CommittedBySecond.Select((rate, second) => $"{X(second):0.#},{Y(rate):0.#}"));
        var marks = round.Marks.Select((mark, number) =>
            $"""
            <line x1="{X(mark.At):0.#}" x2="{X(mark.At):0.#}" y1="0" y2="{Height}" stroke="#c33" stroke-dasharray="3"/>
            <text x="{X(mark.At) + 2:0.#}" y="{12 + (number % 6 * 13)}" fill="#c33">{Encode(mark.What)}</text>
            """);
        return
            $"""
            <g transform="translate(40 {top + 25})">
            <text y="-8" font-size="13">{Encode(round.Title)}: committed transfers a second</text>
            <polyline points="{curve}" fill="none" stroke="#236" stroke-width="2"/>
            {string.Join('\n', marks)}
            <line x2="{Width}" y1="{Height}" y2="{Height}" stroke="#000"/>
            <text x="-4" y="10" text-anchor="end">{most}</text><text x="-4" y="{Height}" text-anchor="end">0</text>
            <text x="{Width}" y="{Height + 14}" text-anchor="end">{seconds} s</text>
            </g>
            """;
    }

    private static string Encode(string text) => WebUtility.HtmlEncode(text);
}

using System.Net;
using Cluster.Rounds;

namespace Cluster.Report;

/// <summary>All rounds on one page, with a chart for each. The page needs no other file and no script.</summary>
internal static class ResultPage
{
    private const int Width = 900;
    private const int Height = 180;

    public static string Of(IReadOnlyList<RoundResult> rounds) =>
        $$"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>A cluster while something breaks</title>
        <style>
        body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
        svg text { font-size: 11px; }
        pre { overflow-x: auto; }
        </style>
        </head>
        <body>
        <h1>A cluster while something breaks: committed transfers a second</h1>
        {{string.Join('\n', rounds.Select(Chart))}}
        <pre>
        {{WebUtility.HtmlEncode(ResultTable.Of(rounds))}}
        </pre>
        </body>
        </html>
        """;

    private static string Chart(RoundResult round)
    {
        var seconds = Math.Max(1, round.CommittedBySecond.Count);
        var most = Math.Max(1, round.CommittedBySecond.DefaultIfEmpty().Max());
        double X(double second) => second * Width / seconds;
        double Y(double rate) => Height - (rate * Height / most);
        var curve = string.Join(
            ' ', round.CommittedBySecond.Select((rate, second) => $"{X(second):0.#},{Y(rate):0.#}"));
        var marks = round.Marks.Select((mark, number) =>
            $"""
            <line x1="{X(mark.At):0.#}" x2="{X(mark.At):0.#}" y1="0" y2="{Height}" stroke="#c33" stroke-dasharray="3"/>
            <text x="{X(mark.At) + 2:0.#}" y="{12 + (number % 6 * 13)}">{WebUtility.HtmlEncode(mark.What)}</text>
            """);
        return
            $"""
            <h2>{WebUtility.HtmlEncode(round.Title)}</h2>
            <svg viewBox="-40 -5 {Width + 60} {Height + 30}" role="img">
            <polyline points="{curve}" fill="none" stroke="#236" stroke-width="2"/>
            {string.Join('\n', marks)}
            <line x1="0" x2="{Width}" y1="{Height}" y2="{Height}" stroke="#000"/>
            <text x="-36" y="10">{most}</text><text x="-12" y="{Height}">0</text>
            <text x="{Width - 30}" y="{Height + 16}">{seconds} s</text>
            </svg>
            """;
    }
}

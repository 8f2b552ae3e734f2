using System.Net;
using Cluster.Rounds;

namespace Cluster.Report;

/// <summary>All rounds on one page, with their charts. The page needs no other file and no script.</summary>
internal static class ResultPage
{
    public static string Of(IReadOnlyList<RoundResult> rounds)
    {
        var charts = rounds.GroupBy(static round => round.Scenario).Select(static all => ResultChart.Of([.. all]));
        return $$"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>A cluster while something breaks</title>
        <style>
        body { font-family: sans-serif; margin: 2em; }
        svg { width: 100%; max-width: 70em; }
        table { border-collapse: collapse; font-size: 75%; }
        td, th { border: 1px solid #ccc; padding: 0.3em; vertical-align: top; }
        </style>
        </head>
        <body>
        <h1>A cluster while something breaks</h1>
        {{string.Join('\n', charts)}}
        <table>
        {{string.Join('\n', ResultTable.Rows(rounds).Select((row, number) => Row(row, number == 0 ? "th" : "td")))}}
        </table>
        <h2>Log entries of the silos, the most frequent events</h2>
        <ul>
        {{string.Join('\n', ResultTable.LogEntries(rounds).Select(static entry => $"<li>{Encode(entry)}</li>"))}}
        </ul>
        </body>
        </html>
        """;
    }

    private static string Row(string[] cells, string tag) =>
        $"<tr>{string.Concat(cells.Select(cell => $"<{tag}>{Encode(cell)}</{tag}>"))}</tr>";

    private static string Encode(string text) => WebUtility.HtmlEncode(text);
}

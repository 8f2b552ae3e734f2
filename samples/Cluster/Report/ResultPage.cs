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
        body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
        pre { overflow-x: auto; }
        </style>
        </head>
        <body>
        <h1>A cluster while something breaks</h1>
        {{string.Join('\n', charts)}}
        <pre>
        {{WebUtility.HtmlEncode(ResultTable.Of(rounds))}}
        </pre>
        </body>
        </html>
        """;
    }
}

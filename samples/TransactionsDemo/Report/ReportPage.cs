using System.Net;
using TransactionsDemo.Rounds;

namespace TransactionsDemo.Report;

/// <summary>The results as one page, which needs no other file and no script.</summary>
internal static class ReportPage
{
    public static string Build(
        IReadOnlyList<string> notes,
        IReadOnlyList<string> table,
        IReadOnlyList<string> conclusion,
        Results results) =>
        $$"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>Orleans alone, and with AddScalableTimers()</title>
        <style>
        body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
        img { max-width: 100%; }
        </style>
        </head>
        <body>
        <h1>Orleans alone, and with AddScalableTimers()</h1>
        {{Lines(conclusion.Select(static line => $"<p><b>{Encode(line)}</b></p>"))}}
        {{Lines(notes.Select(static line => $"<p>{Encode(line)}</p>"))}}
        <pre>
        {{Encode(Lines(table))}}
        </pre>
        {{Lines(Charts.Of(results).Select(static chart => Image(chart.Title, chart.Png)))}}
        </body>
        </html>
        """;

    private static string Image(string title, byte[] png) =>
        $"""<p><img alt="{Encode(title)}" src="data:image/png;base64,{Convert.ToBase64String(png)}"></p>""";

    private static string Lines(IEnumerable<string> lines) => string.Join('\n', lines);

    private static string Encode(string text) => WebUtility.HtmlEncode(text);
}

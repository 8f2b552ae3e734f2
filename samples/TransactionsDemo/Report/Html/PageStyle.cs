namespace TransactionsDemo.Report.Html;

/// <summary>The looks of a page.</summary>
internal static class PageStyle
{
    public const string Css = """
        body { font: 15px/1.45 system-ui, sans-serif; color: #1c1c1c; background: #fff; max-width: 62rem;
          margin: 2rem auto; padding: 0 1rem; }
        h1 { font-size: 1.4rem; }
        p { margin: .3rem 0; }
        table { border-collapse: collapse; margin: 1.2rem 0; font-size: 14px; }
        th, td { border-bottom: 1px solid #bbb; padding: .25rem .6rem; text-align: right; white-space: nowrap; }
        th:first-child, td:first-child { text-align: left; white-space: pre; }
        figure { margin: 1.6rem 0; }
        figcaption { font-weight: 600; margin-bottom: .3rem; }
        svg.chart { width: 100%; height: auto; }
        svg text { font: 11px system-ui, sans-serif; }
        .label { fill: #333; }
        .axis-name { fill: #333; font-style: italic; }
        .name { font-weight: 600; }
        .grid { stroke: #ddd; fill: none; }
        .axis { stroke: #333; fill: none; }
        .zero { stroke: #333; stroke-width: 2; fill: none; }
        .line { fill: none; stroke-width: 2.2; }
        .thin { stroke-width: 1; opacity: .55; }
        .mark { fill: none; stroke-width: 1.3; }
        """;
}

using TransactionsDemo.Probes;

namespace TransactionsDemo.Report.Html;

/// <summary>What a page shows.</summary>
internal sealed record ReportContent
{
    public required string Title { get; init; }

    /// <summary>Machine, options and what a reader has to know, a paragraph each.</summary>
    public required IReadOnlyList<string> Notes { get; init; }

    public required FiguresTable Figures { get; init; }

    public required IReadOnlyList<ReportColumn> Columns { get; init; }

    /// <summary>
    /// For each column what a few delays took with nothing else going on; empty if that was left out.
    /// </summary>
    public IReadOnlyList<IEnumerable<ProbeSample>> Delays { get; init; } = [];
}

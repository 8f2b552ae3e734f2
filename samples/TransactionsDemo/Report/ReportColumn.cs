namespace TransactionsDemo.Report;

/// <summary>What is compared with others, and what it has done in each round.</summary>
internal sealed record ReportColumn(string Name, IReadOnlyList<RunFigures> Rounds);

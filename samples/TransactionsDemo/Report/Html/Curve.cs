namespace TransactionsDemo.Report.Html;

/// <summary>A line of a chart.</summary>
/// <param name="Name">What is written at its end; empty for one that is named by another.</param>
/// <param name="Column">The column of the report that it belongs to, which its look depends on.</param>
/// <param name="IsThin">Whether it is one of several that belong together, beside a thick one.</param>
/// <param name="Points">Where it goes.</param>
internal sealed record Curve(string Name, int Column, bool IsThin, IReadOnlyList<(double X, double Y)> Points);

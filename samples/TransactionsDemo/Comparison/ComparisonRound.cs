using TransactionsDemo.Report;

namespace TransactionsDemo.Comparison;

/// <summary>What one variant has done in one round.</summary>
internal sealed record ComparisonRound(ComparisonPlace Place, int Round, Variant Variant, RunFigures Figures);

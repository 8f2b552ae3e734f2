namespace TransactionsDemo.Comparison;

/// <summary>The kind of bank in which both variants are compared.</summary>
internal sealed record ComparisonPlace(int Silos, int Concurrency);

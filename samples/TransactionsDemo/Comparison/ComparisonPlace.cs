namespace TransactionsDemo.Comparison;

/// <summary>Where both variants are compared.</summary>
internal sealed record ComparisonPlace(int Silos, int Concurrency);

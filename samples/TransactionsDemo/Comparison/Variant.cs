namespace TransactionsDemo.Comparison;

/// <summary>One way to run the same work.</summary>
/// <param name="Name">For tables.</param>
/// <param name="Arguments">What makes the difference, on this program's command line.</param>
internal sealed record Variant(string Name, params IReadOnlyList<string> Arguments);

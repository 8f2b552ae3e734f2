namespace TransactionsDemo.Comparison;

/// <summary>The conditions of the comparison.</summary>
internal sealed record ComparisonOptions
{
    public required IReadOnlyList<int> Concurrencies { get; init; }

    public required IReadOnlyList<int> Silos { get; init; }

    public required int Rounds { get; init; }

    public required FileInfo? MarkdownFile { get; init; }

    /// <summary>The part of the command line that each round gets unchanged.</summary>
    public required IReadOnlyList<string> RoundArguments { get; init; }

    /// <summary>The seed of the first round. Both variants of a round make the same transfers.</summary>
    public required int Seed { get; init; }
}

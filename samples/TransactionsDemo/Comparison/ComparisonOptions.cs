namespace TransactionsDemo.Comparison;

/// <summary>What to compare Orleans' own timers under.</summary>
internal sealed record ComparisonOptions
{
    public required IReadOnlyList<int> Concurrencies { get; init; }

    public required IReadOnlyList<int> Silos { get; init; }

    public required int Rounds { get; init; }

    public required FileInfo? MarkdownFile { get; init; }

    /// <summary>What each round gets from the command line as it stands.</summary>
    public required IReadOnlyList<string> RoundArguments { get; init; }

    /// <summary>The seed of the first round. Both variants of a round make the same transfers.</summary>
    public required int Seed { get; init; }
}

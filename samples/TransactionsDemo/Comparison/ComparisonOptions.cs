using TransactionsDemo.Report;

namespace TransactionsDemo.Comparison;

/// <summary>What to compare two variants under.</summary>
internal sealed record ComparisonOptions
{
    public required VariantPair Variants { get; init; }

    public required IReadOnlyList<int> Concurrencies { get; init; }

    public required IReadOnlyList<int> Silos { get; init; }

    public required int Rounds { get; init; }

    /// <summary>What each round gets from the command line as it stands.</summary>
    public required IReadOnlyList<string> RoundArguments { get; init; }

    /// <summary>The seed of the first round. Both variants of a round make the same transfers.</summary>
    public required int Seed { get; init; }

    /// <summary>About how long a round of one variant takes.</summary>
    public required TimeSpan ExpectedRound { get; init; }

    public FileInfo? MarkdownFile { get; init; }

    public FileInfo? JsonFile { get; init; }

    public FileInfo? ReportFile { get; init; }

    /// <summary>Begins now.</summary>
    public RemainingTime NewRemainingTime() =>
        new(Rounds * Silos.Count * Concurrencies.Count * 2, ExpectedRound, TimeProvider.System);
}

namespace TransactionsDemo;

/// <summary>What the command line asks for.</summary>
internal sealed record DemoSettings
{
    /// <summary>Of each variant.</summary>
    public required int Rounds { get; init; }

    public required TimeSpan WarmUp { get; init; }

    public required TimeSpan Duration { get; init; }

    /// <summary>Transfers at a time.</summary>
    public required int Concurrency { get; init; }

    /// <summary>The page with charts; null for none.</summary>
    public FileInfo? Report { get; init; }
}

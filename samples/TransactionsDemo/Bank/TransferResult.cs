namespace TransactionsDemo.Bank;

/// <summary>What has become of a transfer, and how.</summary>
internal readonly record struct TransferResult
{
    public required TransferOutcome Outcome { get; init; }

    /// <summary>How often it was tried again.</summary>
    public int Retries { get; init; }

    /// <summary>For a while nobody knew whether it had been committed.</summary>
    public bool WasInDoubt { get; init; }
}

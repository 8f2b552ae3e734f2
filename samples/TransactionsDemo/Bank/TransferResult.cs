namespace TransactionsDemo.Bank;

/// <summary>The outcome of a transfer, and how it was reached.</summary>
internal readonly record struct TransferResult
{
    public required TransferOutcome Outcome { get; init; }

    /// <summary>How often it was tried again.</summary>
    public int Retries { get; init; }

    /// <summary>For a while nobody knew whether it had been committed.</summary>
    public bool WasInDoubt { get; init; }
}

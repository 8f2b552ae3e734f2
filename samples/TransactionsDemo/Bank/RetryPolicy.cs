namespace TransactionsDemo.Bank;

/// <summary>Decides when to try a transfer again.</summary>
internal static class RetryPolicy
{
    public const int MaxAttempts = 5;

    private const int MaxDoublings = 6;

    private static readonly TimeSpan s_firstBackoff = TimeSpan.FromMilliseconds(5);

    /// <summary>Whether another attempt may have another outcome.</summary>
    public static bool IsWorthRetrying(TransferOutcome outcome) => outcome
        is TransferOutcome.LockTimeout
        or TransferOutcome.CallTimeout
        or TransferOutcome.PrepareTimeout
        or TransferOutcome.Conflict
        or TransferOutcome.Aborted;

    /// <summary>
    /// The pause before the next attempt. It doubles with each attempt, up to a third of a second. It is spread, so
    /// that two transfers that have blocked each other do not meet again. The spread depends on the transfers' numbers,
    /// so it is the same in every run.
    /// </summary>
    public static TimeSpan Backoff(long transfer, int attempt)
    {
        var spread = 0.5 + new SeededNumbers((ulong)transfer, (ulong)attempt).NextShare();
        return s_firstBackoff * (1 << Math.Min(attempt - 1, MaxDoublings)) * spread;
    }
}

namespace TransactionsDemo.Bank;

/// <summary>When to try a transfer again.</summary>
internal static class RetryPolicy
{
    public const int MaxAttempts = 5;

    private const int MaxDoublings = 6;

    private static readonly TimeSpan s_firstBackoff = TimeSpan.FromMilliseconds(5);

    /// <summary>Whether a further attempt may end otherwise.</summary>
    public static bool IsWorthRetrying(TransferOutcome outcome) => outcome
        is TransferOutcome.LockTimeout
        or TransferOutcome.CallTimeout
        or TransferOutcome.PrepareTimeout
        or TransferOutcome.Conflict
        or TransferOutcome.Aborted;

    /// <summary>
    /// Doubles with each attempt, up to a third of a second. Spread, so that two transfers that have met do not meet
    /// again; and by their numbers, so that it is the same in every run.
    /// </summary>
    public static TimeSpan Backoff(long transfer, int attempt)
    {
        var spread = 0.5 + new SeededNumbers((ulong)transfer, (ulong)attempt).NextShare();
        return s_firstBackoff * (1 << Math.Min(attempt - 1, MaxDoublings)) * spread;
    }
}

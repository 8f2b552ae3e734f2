namespace TransactionsDemo.Embedded;

/// <summary>An actor's answer.</summary>
internal enum Answer
{
    /// <summary>There was no answer in time.</summary>
    None,

    Done,
    InsufficientFunds,

    /// <summary>The account could not be locked in time.</summary>
    LockTimeout,

    /// <summary>The account has taken the lock back.</summary>
    LockLost,

    Committed,
    Aborted,
}

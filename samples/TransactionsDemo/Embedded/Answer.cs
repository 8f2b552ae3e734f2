namespace TransactionsDemo.Embedded;

/// <summary>What an actor answers.</summary>
internal enum Answer
{
    /// <summary>There was no answer in time.</summary>
    None,

    Done,
    InsufficientFunds,

    /// <summary>The account was not to be had in time.</summary>
    LockTimeout,

    /// <summary>The account has taken the lock back.</summary>
    LockLost,

    Committed,
    Aborted,
}

namespace TransactionsDemo.Bank;

/// <summary>The outcome of a transfer.</summary>
internal enum TransferOutcome
{
    Committed,

    /// <summary>The teller refused it, as planned.</summary>
    Refused,

    InsufficientFunds,

    /// <summary>An account could not be locked in time, or took its lock back.</summary>
    LockTimeout,

    /// <summary>An account did not answer in time.</summary>
    CallTimeout,

    /// <summary>The accounts were not prepared in time.</summary>
    PrepareTimeout,

    /// <summary>It lost a conflict with another transfer.</summary>
    Conflict,

    /// <summary>The call to its teller failed, mostly because of a silo's death; it has not been committed.</summary>
    TellerLost,

    /// <summary>It was aborted for another reason.</summary>
    Aborted,
}

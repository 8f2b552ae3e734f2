namespace TransactionsDemo.Bank;

/// <summary>What has become of a transfer.</summary>
internal enum TransferOutcome
{
    Committed,

    /// <summary>The teller refused it, as it was meant to.</summary>
    Refused,

    InsufficientFunds,

    /// <summary>An account was not to be had in time, or was taken away from it.</summary>
    LockTimeout,

    /// <summary>An account did not answer in time.</summary>
    CallTimeout,

    /// <summary>The accounts were not prepared in time.</summary>
    PrepareTimeout,

    /// <summary>It lost against another transfer.</summary>
    Conflict,

    /// <summary>The call to its teller failed, mostly because of a silo's death; it has not been committed.</summary>
    TellerLost,

    /// <summary>It was aborted for another reason.</summary>
    Aborted,
}

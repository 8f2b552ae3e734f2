namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// The measured phases of a transaction. Their names become values of a tag: <c>lock_hold</c> and so on.
/// </summary>
internal enum TransactionPhase
{
    /// <summary>From the start until the transaction is committed, aborted or in doubt.</summary>
    Transaction,

    /// <summary>A read or update waits for a state's lock.</summary>
    LockAcquisition,

    /// <summary>
    /// From a transaction's first access to a state until it is told to prepare, commit or abort there.
    /// </summary>
    LockHold,

    /// <summary>The caller waits for prepare and commit.</summary>
    Resolve,

    /// <summary>The manager waits for the participants to prepare.</summary>
    Prepare,

    /// <summary>The manager commits what is prepared.</summary>
    Commit,

    /// <summary>A participant confirms.</summary>
    Confirm,

    /// <summary>The caller waits for the participants to hear of an abort.</summary>
    Abort,
}

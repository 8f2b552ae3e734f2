namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// The phases of a transaction that can time out. Their names become tag values: <c>lock_acquisition</c> and so on.
/// </summary>
internal enum TransactionPhase
{
    /// <summary>The transaction is older than its deadline when it is about to commit.</summary>
    Transaction,

    /// <summary>A read or update waits for a state's lock.</summary>
    LockAcquisition,

    /// <summary>The caller waits for prepare and commit.</summary>
    Resolve,
}

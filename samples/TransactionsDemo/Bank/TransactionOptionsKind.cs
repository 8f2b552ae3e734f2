namespace TransactionsDemo.Bank;

/// <summary>
/// The limits of Orleans' transactions, and of everything in a bank on Orleans that waits for a transaction.
/// </summary>
internal enum TransactionOptionsKind
{
    /// <summary>
    /// The demo's own limits. They are short, so that two transfers do not block each other for long.
    /// </summary>
    Short,

    /// <summary>Orleans' defaults.</summary>
    Default,

    /// <summary>Limits with which a bank recovers quickly after the death of a silo.</summary>
    Fast,
}

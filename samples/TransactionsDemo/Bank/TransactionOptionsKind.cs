namespace TransactionsDemo.Bank;

/// <summary>
/// How long Orleans' transactions may take, and with them everything in a bank on Orleans that waits for one.
/// </summary>
internal enum TransactionOptionsKind
{
    /// <summary>The demo's own: short, so that two transfers that block each other come apart soon.</summary>
    Short,

    /// <summary>What Orleans has by default.</summary>
    Default,

    /// <summary>Those that bring a bank back quickly after the death of a silo.</summary>
    Fast,
}

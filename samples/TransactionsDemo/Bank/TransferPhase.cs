namespace TransactionsDemo.Bank;

/// <summary>The phases of a transfer. Each has a time limit.</summary>
internal enum TransferPhase
{
    Lock,
    Prepare,
    Commit,
    Confirm,
}

namespace TransactionsDemo.Embedded;

/// <summary>What an account writes down.</summary>
internal enum LogRecordKind
{
    /// <summary>The balance at this point.</summary>
    Checkpoint,

    Prepared,
    Committed,
    Aborted,
}

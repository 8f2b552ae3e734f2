namespace TransactionsDemo.Embedded;

/// <summary>The kind of an entry in an account's log.</summary>
internal enum LogRecordKind
{
    /// <summary>The balance at this point.</summary>
    Checkpoint,

    Prepared,
    Committed,
    Aborted,
}

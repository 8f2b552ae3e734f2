namespace TransactionsDemo.Embedded;

/// <summary>One entry of an account's log.</summary>
internal readonly record struct LogRecord(LogRecordKind Kind, long Transaction, long Amount);

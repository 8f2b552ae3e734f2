namespace TransactionsDemo.Embedded;

/// <summary>What one actor wants of another. On its own it is a message that nobody answers.</summary>
internal readonly record struct Request(RequestKind Kind, long Transaction, long Amount = 0);

namespace TransactionsDemo.Embedded;

/// <summary>A request of one actor to another. Without a call it is a message that nobody answers.</summary>
internal readonly record struct Request(RequestKind Kind, long Transaction, long Amount = 0);

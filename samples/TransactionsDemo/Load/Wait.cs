namespace TransactionsDemo.Load;

/// <summary>A wait under load. Its lateness is negative if it ended too early.</summary>
internal sealed record Wait(WaitKind Kind, double LatenessMilliseconds);

namespace TransactionsDemo.Bank;

/// <summary>A silo that was killed.</summary>
/// <param name="DeclaredDead">Ends when the rest of the cluster has noticed; how long that took since the kill.</param>
internal sealed record SiloDeath(Task<TimeSpan> DeclaredDead);

namespace Cluster.Load;

/// <summary>A transfer, and what its caller was told, and when, in seconds of load.</summary>
internal sealed record Transfer(int Number, int From, int To, Fate Fate, string? Error, double EndedAt);

/// <summary>What the caller of a transfer was told.</summary>
internal enum Fate
{
    Committed,
    Aborted,

    /// <summary>Its caller does not know the outcome.</summary>
    InDoubt,
}

namespace TransactionsDemo.Load;

/// <summary>How many transfers took no longer than a time.</summary>
internal sealed record LatencyShare(double Milliseconds, long Transfers);

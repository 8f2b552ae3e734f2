namespace TransactionsDemo.Load;

/// <summary>The transfers that ended within a short stretch of a load.</summary>
/// <param name="EndSeconds">When the stretch ends, since the load began.</param>
/// <param name="TransfersPerSecond">How many ended, by the length of the stretch.</param>
/// <param name="P50">Half of them took no longer, in milliseconds; 0 if there are none.</param>
/// <param name="P99">All but one in a hundred took no longer, in milliseconds.</param>
internal sealed record LatencySlot(double EndSeconds, double TransfersPerSecond, double P50, double P99);

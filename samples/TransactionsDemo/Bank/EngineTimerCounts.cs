namespace TransactionsDemo.Bank;

/// <summary>What was seen of the timers that an engine's own transactions use.</summary>
/// <param name="Pending">How many were pending when the load was over; null if that could not be had.</param>
/// <param name="Probes">How many timers of the same kind were started under load, to see when they fire.</param>
/// <param name="EarlyProbes">How many of those fired before their time.</param>
internal readonly record struct EngineTimerCounts(long? Pending, long Probes, long EarlyProbes)
{
    /// <summary>Pending ones of several rounds do not add up: the most there were.</summary>
    public static EngineTimerCounts operator +(EngineTimerCounts left, EngineTimerCounts right) => new(
        left.Pending is { } first && right.Pending is { } second
            ? Math.Max(first, second)
            : left.Pending ?? right.Pending,
        left.Probes + right.Probes,
        left.EarlyProbes + right.EarlyProbes);
}

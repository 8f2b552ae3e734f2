namespace TransactionsDemo.Bank;

/// <summary>Observations of the timers that an engine's own transactions use.</summary>
/// <param name="Pending">How many were pending when the load had ended; null if that is unknown.</param>
/// <param name="Probes">How many timers of the same kind were started under load, to see when they fire.</param>
/// <param name="EarlyProbes">How many of those fired before their time.</param>
internal readonly record struct EngineTimerCounts(long? Pending, long Probes, long EarlyProbes)
{
    /// <summary>Pending timers of several rounds cannot be added up, so the highest number counts.</summary>
    public static EngineTimerCounts operator +(EngineTimerCounts left, EngineTimerCounts right) => new(
        left.Pending is { } first && right.Pending is { } second
            ? Math.Max(first, second)
            : left.Pending ?? right.Pending,
        left.Probes + right.Probes,
        left.EarlyProbes + right.EarlyProbes);
}

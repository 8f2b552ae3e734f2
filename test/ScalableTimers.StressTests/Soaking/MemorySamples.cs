namespace ScalableTimers.StressTests.Soaking;

/// <summary>Samples of the live memory while no timer is pending, to see whether it grows.</summary>
internal sealed class MemorySamples
{
    /// <summary>
    /// Tables of the runtime, the pool and the queues of ended threads take at least two minutes to reach their final
    /// sizes.
    /// </summary>
    private static readonly TimeSpan s_shortest = TimeSpan.FromMinutes(2);

    /// <summary>One leaked entry per thousand timers adds up to this much in ten minutes.</summary>
    private const long MostGrowth = 4 << 20;

    private readonly List<long> _samples = [];

    /// <summary>Growth from the middle of the first third of the samples to the middle of the last.</summary>
    private long Growth => Median(_samples.TakeLast((_samples.Count + 2) / 3)) - Median(FirstThird);

    private IEnumerable<long> FirstThird => _samples.Take((_samples.Count + 2) / 3);

    internal void Take()
    {
        // Objects with a finalizer, such as threads, are only freed by the second collection.
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        _samples.Add(GC.GetTotalMemory(forceFullCollection: false));
    }

    /// <returns>A description of the fault, or null.</returns>
    internal string? Fault() =>
        SoakLength.Duration >= s_shortest && Growth > MostGrowth
            ? $"memory grew: {string.Join(", ", _samples.Select(static bytes => $"{bytes / 1e6:F1}"))} MB"
            : null;

    public override string ToString() =>
        $"memory at rest: {Median(FirstThird) / 1e6:F1} MB in the first third of {_samples.Count} samples, "
        + $"{Growth / 1e6:F1} MB more in the last";

    private static long Median(IEnumerable<long> samples)
    {
        var sorted = samples.Order().ToList();
        return sorted.Count == 0 ? 0 : sorted[sorted.Count / 2];
    }
}

namespace ScalableTimers.StressTests.Soaking.Recording;

/// <summary>Samples of the live memory after full collections, to see whether it grows.</summary>
internal sealed class MemorySamples(SoakTally tally)
{
    /// <summary>
    /// Fewer samples mean nothing, because the objects in flight differ by a few megabytes between samples.
    /// </summary>
    private const int Fewest = 9;

    /// <summary>
    /// The bytes by which the end may exceed the beginning. Tables of the runtime, of the pool and of collections of
    /// ended threads grow a little at first. The limit is 0.16 bytes a timer in a run of a hundred million. One leaked
    /// entry in four hundred would take as much.
    /// </summary>
    private const long MostGrowth = 16 << 20;

    private readonly List<(long Bytes, long Timers)> _samples = [];

    internal long First => Median(FirstThird).Bytes;

    internal long Last => Median(LastThird).Bytes;

    internal bool IsEnough => _samples.Count >= Fewest;

    /// <summary>Growth in bytes a timer, from the middle of the first third to the middle of the last.</summary>
    internal double BytesPerTimer =>
        (double)(Last - First) / Math.Max(1, Median(LastThird).Timers - Median(FirstThird).Timers);

    private IEnumerable<(long Bytes, long Timers)> FirstThird => _samples.Take((_samples.Count + 2) / 3);

    private IEnumerable<(long Bytes, long Timers)> LastThird => _samples.TakeLast((_samples.Count + 2) / 3);

    internal void Take()
    {
        var timers = tally.Started;

        // Objects with a finalizer, such as threads, are only freed by the second collection.
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        _samples.Add((GC.GetTotalMemory(forceFullCollection: false), timers));
    }

    internal void Judge()
    {
        // In less than two minutes tables, pools and caches do not reach their final sizes.
        if (IsEnough && SoakLength.Duration >= TimeSpan.FromMinutes(2) && Last > First + MostGrowth)
        {
            tally.Report(
                SoakFault.Other,
                $"memory grew: {string.Join(", ", _samples.Select(static sample => $"{sample.Bytes / 1e6:F1}"))} MB");
        }
    }

    private static (long Bytes, long Timers) Median(IEnumerable<(long Bytes, long Timers)> samples)
    {
        var sorted = samples.OrderBy(static sample => sample.Bytes).ToList();
        return sorted.Count == 0
            ? default
            : (sorted[sorted.Count / 2].Bytes, (long)sorted.Average(static sample => sample.Timers));
    }
}

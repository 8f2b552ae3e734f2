namespace TransactionsDemo.Load;

/// <summary>How long transfers took, by the time at which they ended. Added to from any thread.</summary>
/// <remarks>A slot has the buckets of <see cref="LatencyHistogram"/>, and takes 15 KB.</remarks>
internal sealed class LatencyTimeline
{
    private const int MaxSlots = 100;
    private static readonly TimeSpan s_leastSlot = TimeSpan.FromMilliseconds(250);

    private readonly long[][] _slots;

    public LatencyTimeline(TimeSpan duration)
    {
        Slot = duration / MaxSlots > s_leastSlot ? duration / MaxSlots : s_leastSlot;

        // Only whole slots: a part of one would look like a fall at the end.
        var count = Math.Max(1, (int)(duration / Slot));
        _slots = [.. Enumerable.Range(0, count).Select(static _ => new long[LatencyHistogram.Buckets])];
    }

    /// <summary>The width of a slot.</summary>
    public TimeSpan Slot { get; }

    /// <summary>Notes a transfer.</summary>
    /// <param name="endedAt">Since the beginning. After the end of the last slot it does not count.</param>
    /// <param name="latency">How long it took.</param>
    public void Add(TimeSpan endedAt, TimeSpan latency)
    {
        var slot = (int)Math.Min(endedAt / Slot, int.MaxValue);
        if (slot < _slots.Length)
        {
            Interlocked.Increment(ref _slots[slot][LatencyHistogram.BucketOf(latency)]);
        }
    }

    /// <summary>What happened in each slot. To be called when nothing is added any more.</summary>
    public IReadOnlyList<LatencySlot> Read() =>
        [.. _slots.Select((counts, index) => Read(counts, Slot * (index + 1)))];

    private LatencySlot Read(long[] counts, TimeSpan end)
    {
        return new LatencySlot(
            end.TotalSeconds,
            counts.Sum() / Slot.TotalSeconds,
            LatencyHistogram.Percentile(counts, 0.5).TotalMilliseconds,
            LatencyHistogram.Percentile(counts, 0.99).TotalMilliseconds);
    }
}

namespace ScalableTimers.Queues;

/// <summary>The number of timers of a queue by what became of them, or the sum over several queues.</summary>
internal struct QueueCounts
{
    internal long Scheduled;
    internal long Expired;
    internal long Cancelled;
    internal long Skipped;
    internal long Dropped;

    /// <summary>The timers that none of the other counts includes yet.</summary>
    internal readonly long Pending => Scheduled - Expired - Skipped - Cancelled - Dropped;

    internal void Add(in QueueCounts other)
    {
        Scheduled += other.Scheduled;
        Expired += other.Expired;
        Cancelled += other.Cancelled;
        Skipped += other.Skipped;
        Dropped += other.Dropped;
    }
}

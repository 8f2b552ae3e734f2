namespace ScalableTimers.Queues;

/// <summary>The timers of one queue, or of several, counted by outcome.</summary>
internal struct QueueCounts
{
    internal long Scheduled;
    internal long Expired;
    internal long Cancelled;
    internal long Skipped;
    internal long Dropped;

    /// <summary>The timers that have no outcome yet.</summary>
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

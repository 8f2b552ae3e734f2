namespace ScalableTimers.Collections;

/// <summary>The number of timers of a collection by what became of them, or the sum over several collections.</summary>
internal struct CollectionCounts
{
    internal long Scheduled;
    internal long Expired;
    internal long Cancelled;
    internal long Skipped;
    internal long Dropped;
    internal long HandedOver;

    /// <summary>The timers that none of the other counts includes yet.</summary>
    internal readonly long Pending => Scheduled - Expired - Skipped - Cancelled - Dropped - HandedOver;

    internal void Add(in CollectionCounts other)
    {
        Scheduled += other.Scheduled;
        Expired += other.Expired;
        Cancelled += other.Cancelled;
        Skipped += other.Skipped;
        Dropped += other.Dropped;
        HandedOver += other.HandedOver;
    }

    /// <summary>Counts an entry that has ended with its service.</summary>
    internal void CountEnd(ServiceEnd end)
    {
        switch (end)
        {
            case ServiceEnd.Cancelled:
                Cancelled++;
                break;
            case ServiceEnd.Dropped:
                Dropped++;
                break;
            case ServiceEnd.HandedOver:
                HandedOver++;
                break;
        }
    }
}

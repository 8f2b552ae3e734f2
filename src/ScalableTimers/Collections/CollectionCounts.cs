namespace ScalableTimers.Collections;

/// <summary>Sums over collections.</summary>
internal struct CollectionCounts
{
    internal long Pending;
    internal long Scheduled;
    internal long Cancelled;
    internal long Skipped;
    internal long Dropped;
    internal long HandedOver;
}

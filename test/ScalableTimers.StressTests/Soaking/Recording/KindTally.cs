namespace ScalableTimers.StressTests.Soaking.Recording;

/// <summary>Counts of one kind of timer. Any thread adds.</summary>
internal sealed class KindTally
{
    private long _started;
    private long _fired;
    private long _cancelled;
    private long _dropped;

    internal long Started => Volatile.Read(ref _started);

    internal long Fired => Volatile.Read(ref _fired);

    internal long Cancelled => Volatile.Read(ref _cancelled);

    internal long Dropped => Volatile.Read(ref _dropped);

    /// <summary>How many are neither fired nor cancelled nor dropped.</summary>
    internal long Open => Started - Fired - Cancelled - Dropped;

    internal LatenessHistogram Lateness { get; } = new();

    internal void CountStarted(long count = 1) => Interlocked.Add(ref _started, count);

    internal void CountFired(long count = 1) => Interlocked.Add(ref _fired, count);

    internal void CountCancelled(long count = 1) => Interlocked.Add(ref _cancelled, count);

    internal void CountDropped(long count = 1) => Interlocked.Add(ref _dropped, count);
}

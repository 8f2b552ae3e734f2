namespace ScalableTimers.Compare.Workloads.Cancelling;

/// <summary>The state of a timer, without the timer.</summary>
internal sealed class EmptyEntry
{
    private long _isLive;

    internal void Begin() => Volatile.Write(ref _isLive, 1);

    internal bool TryEnd() => Interlocked.CompareExchange(ref _isLive, 0, 1) == 1;
}

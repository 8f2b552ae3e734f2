namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>An array of rows, each with its spin lock.</summary>
internal readonly struct SpinLockedArrayAdder(SpinLockedRow[] rows) : IAdder
{
    public void Add(int operation, long duration)
    {
        var row = rows[operation];
        var isLocked = false;
        row.Lock.Enter(ref isLocked);
        row.Add(duration);
        row.Lock.Exit(useMemoryBarrier: false);
    }
}

namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>The second variant of the original source: an array of rows, each with its lock.</summary>
internal readonly struct LockedArrayAdder(Row[] rows) : IAdder
{
    public void Add(int operation, long duration)
    {
        var row = rows[operation];
        lock (row)
        {
            row.Add(duration);
        }
    }
}

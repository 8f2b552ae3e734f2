namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>
/// The lower limit: a row for each thread. No other thread can read or clear it, and it is lost when the thread ends.
/// </summary>
internal readonly struct ThreadStaticAdder : IAdder
{
    [ThreadStatic]
    private static Row[]? s_rows;

    public void Add(int operation, long duration)
    {
        var rows = s_rows ??= [.. Enumerable.Range(0, OperationAdds.Operations).Select(static _ => new Row())];
        rows[operation].Add(duration);
    }
}

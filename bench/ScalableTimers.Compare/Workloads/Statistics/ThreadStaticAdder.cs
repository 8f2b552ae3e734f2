namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>The limit: a row of the thread's own that nobody can read, clear or keep when the thread ends.</summary>
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

namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>An array of rows without locks.</summary>
internal readonly struct InterlockedArrayAdder(Row[] rows) : IAdder
{
    public void Add(int operation, long duration)
    {
        var row = rows[operation];
        Interlocked.Increment(ref row.Count);
        Interlocked.Add(ref row.Total, duration);
        for (var max = Volatile.Read(ref row.Max); duration > max;)
        {
            max = Exchange(ref row.Max, duration, max);
        }

        for (var min = Volatile.Read(ref row.Min); duration < min;)
        {
            min = Exchange(ref row.Min, duration, min);
        }
    }

    private static long Exchange(ref long at, long value, long expected)
    {
        var found = Interlocked.CompareExchange(ref at, value, expected);
        return found == expected ? value : found;
    }
}

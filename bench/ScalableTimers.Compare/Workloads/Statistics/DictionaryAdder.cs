using System.Collections.Concurrent;

namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>The first variant of the original source: a look-up, and then the row's own lock.</summary>
internal readonly struct DictionaryAdder(ConcurrentDictionary<int, Row> rows) : IAdder
{
    public void Add(int operation, long duration)
    {
        var row = rows.GetOrAdd(operation, static _ => new Row());
        lock (row)
        {
            row.Add(duration);
        }
    }
}

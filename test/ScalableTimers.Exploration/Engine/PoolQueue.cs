namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// The items that were queued to the thread pool. The scenario's pool threads or the scenario itself run them.
/// </summary>
internal sealed class PoolQueue(Interleaving run)
{
    private readonly Queue<Action> _items = new();
    private readonly Queue<Action> _first = new();

    internal int Count => _items.Count + _first.Count;

    internal void Add(Action item, bool isFirst = false)
    {
        (isFirst ? _first : _items).Enqueue(item);
        run.CountWrite(LogicalThread.Current);
    }

    /// <summary>Runs the queued items on the calling thread until none is left.</summary>
    internal void Drain()
    {
        while (_first.TryDequeue(out var item) || _items.TryDequeue(out item))
        {
            item();
        }
    }

    /// <summary>The code of a pool thread.</summary>
    internal void Run()
    {
        var me = LogicalThread.Current;
        var site = new Site(OperationKind.Queue, "pool");
        while (me.TryBlock(() => Count > 0, site))
        {
            var item = (_first.Count > 0 ? _first : _items).Dequeue();
            me.Note(site, "takes an item");
            item();
            me.Begin(site);
        }
    }
}

namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// What is queued to the thread pool, for the pool threads of the scenario, or for the scenario itself.
/// </summary>
internal sealed class PoolQueue(Interleaving run)
{
    private readonly Queue<Action> _items = new();

    internal int Count => _items.Count;

    internal void Add(Action item)
    {
        _items.Enqueue(item);
        run.CountWrite(LogicalThread.Current);
    }

    /// <summary>Runs on the calling thread what is queued, until nothing is.</summary>
    internal void Drain()
    {
        while (_items.TryDequeue(out var item))
        {
            item();
        }
    }

    /// <summary>What a pool thread does.</summary>
    internal void Run()
    {
        var me = LogicalThread.Current!;
        var site = new Site(OperationKind.Queue, "pool", "", 0);
        while (run.TryBlock(me, () => _items.Count > 0, site))
        {
            var item = _items.Dequeue();
            run.Note(me, site, "takes an item");
            item();
            run.Pause(me, site);
        }
    }
}

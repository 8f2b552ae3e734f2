namespace ScalableTimers.Driving;

/// <summary>Expired timers on their way through the thread pool: one work item for many.</summary>
/// <remarks>
/// A worker takes one item after the other. Before its first it queues the batch once more if there are others, so that
/// while a callback blocks, the next free pool thread goes on with the rest; it does the same in turn. The last worker to leave, and
/// only it, gives the batch back.
/// </remarks>
internal sealed class FiringBatch(FiringDispatcher dispatcher) : IThreadPoolWorkItem
{
    // Chosen so that a batch of awaited delays is some 20 µs of work: long beside the 100 ns of a work item, short beside a tick.
    internal const int Capacity = 128;

    // Far enough for memory to have answered, near enough to be in the cache still. What it brings stands in docs/design.md.
    private const int FetchedAhead = 4;

    // Guards
    //   _items, _count   the driver until the batch is queued; then slot i belongs to the worker that took number i
    //   _next, _workers  interlocked
    private readonly FiringItem[] _items = new FiringItem[Capacity];
    private int _count;
    private int _next;
    private int _workers;
    private long _queuedAt;

    internal int Count => _count;

    internal bool IsFull => _count == Capacity;

    internal void Add(FiringItem item) => _items[_count++] = item;

    internal void Queue(long now)
    {
        _queuedAt = now;
        QueueWorker();
    }

    void IThreadPoolWorkItem.Execute()
    {
        var next = Interlocked.Increment(ref _next) - 1;
        if (next == 0)
        {
            dispatcher.ReportPoolWait(_queuedAt, _count);
        }

        if (next < _count - 1)
        {
            QueueWorker();
        }

        var fired = 0;
        for (; next < _count; next = Interlocked.Increment(ref _next) - 1)
        {
            var item = _items[next];
            _items[next] = default;
            if (next + FetchedAhead < _count)
            {
                _items[next + FetchedAhead].Prefetch();
            }

            dispatcher.Fire(item);
            fired++;
        }

        dispatcher.AddFired(fired);
        var isLast = Interlocked.Decrement(ref _workers) == 0;
        if (isLast)
        {
            _count = 0;
            _next = 0;
            dispatcher.Return(this);
        }

        // Last of all, so that whoever waits for running callbacks finds this one's traces gone.
        dispatcher.ExitWorker();
    }

    private void QueueWorker()
    {
        Interlocked.Increment(ref _workers);
        dispatcher.EnterWorker();
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }
}

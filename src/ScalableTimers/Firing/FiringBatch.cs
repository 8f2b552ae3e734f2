namespace ScalableTimers.Firing;

/// <summary>Expired timers on their way through the thread pool: one work item for many.</summary>
/// <remarks>
/// <para>
/// A worker takes one item after the other. Before its first it queues the batch once more if there are others, so that
/// while a callback blocks, the next free pool thread goes on with the rest; it does the same in turn. The last worker
/// to leave, and only it, gives the batch back.
/// </para>
/// <para>
/// A thread of the driver may be the first worker. It queues nothing; whoever sees it stuck hands the rest on to the
/// pool.
/// </para>
/// <para>
/// Near a limit on processes or memory the pool may refuse. The thread that would have queued the worker is that worker
/// then. A pool that refuses may have queued the batch all the same, and run it once in a later life. So workers that
/// are queued are counted, and a thread of the pool that finds none to be does nothing.
/// </para>
/// </remarks>
internal sealed class FiringBatch(FiringDispatcher dispatcher) : IThreadPoolWorkItem
{
    // Chosen so that a batch of awaited delays is some 20 µs of work: long beside the 100 ns of a work item, short
    // beside a tick.
    internal const int Capacity = 128;

    // Far enough for memory to have answered, near enough to be in the cache still. What it brings stands in
    // docs/design.md.
    private const int FetchedAhead = 4;

    // The batch that a driver thread runs.
    [ThreadStatic]
    private static FiringBatch? s_here;

    // Guards
    //   _items, _count   the driver until the batch has begun; then slot i belongs to the worker that took number i
    //   _next            interlocked
    //   _workers         interlocked; from zero to one by who begins the batch
    //   _queued          interlocked; how many of the workers are queued. Who takes one away is that worker
    //   _queuedAt        who begins the batch, or is the first to hand it on: since when what is left waits for a
    //                    thread of the pool
    //   _isUnreported    set after _queuedAt; cleared by the worker that counts what is left as late
    private readonly FiringItem[] _items = new FiringItem[Capacity];
    private int _count;
    private int _next;
    private int _workers;
    private int _queued;
    private long _queuedAt;
    private bool _isUnreported;

    internal int Count => _count;

    internal bool IsFull => _count == Capacity;

    /// <summary>How many items workers have asked for; may be more than there are.</summary>
    internal int Taken => Volatile.Read(ref _next);

    internal void Add(FiringItem item) => _items[_count++] = item;

    /// <summary>
    /// Has the pool run the batch, or this thread if the pool refuses. The thread must have entered the dispatcher.
    /// </summary>
    internal void Queue(long now)
    {
        Begin(now);
        QueueBegun();
    }

    /// <summary>
    /// Gives the batch its first worker, which is to be queued or is this thread: it can be handed on from now on.
    /// </summary>
    internal void Begin(long now)
    {
        Volatile.Write(ref _queuedAt, now);
        Volatile.Write(ref _isUnreported, true);

        // From none only this thread changes it.
        Volatile.Write(ref _workers, 1);
    }

    /// <summary>
    /// Queues the worker that the batch has been given. If the pool refuses, this thread is it, which must have entered
    /// the dispatcher.
    /// </summary>
    internal void QueueBegun()
    {
        if (!TryQueueWorker())
        {
            // One worker, not two: a callback that waits for all others must not wait for the thread that it runs on.
            dispatcher.ExitWorker();
            RunHere();
            dispatcher.EnterWorker();
        }
    }

    /// <summary>
    /// Has this thread be the worker that the batch has been given. It must have entered the dispatcher, and has left
    /// it afterwards.
    /// </summary>
    internal void RunHere()
    {
        var thread = Thread.CurrentThread;
        var (outer, isBackground, priority) = (s_here, thread.IsBackground, thread.Priority);
        s_here = this;
        Run(Interlocked.Increment(ref _next) - 1);
        s_here = outer;

        // As the pool does after each of its items. A callback must not keep the process alive with a thread that is
        // not its own.
        if (thread.IsBackground != isBackground)
        {
            thread.IsBackground = isBackground;
        }

        if (thread.Priority != priority)
        {
            thread.Priority = priority;
        }
    }

    /// <summary>
    /// Queues one more worker, or has this thread be it if the pool refuses, unless nothing is left to take. May be
    /// called for a batch that has ended and is used again.
    /// </summary>
    internal void HandOn(long now)
    {
        if (Volatile.Read(ref _next) >= _count)
        {
            return;
        }

        // A batch without a worker is not to be touched: it lies among the free ones, or is being filled. One that is
        // used again and has a worker can do with a second one.
        var workers = Volatile.Read(ref _workers);
        while (workers != 0)
        {
            var found = Interlocked.CompareExchange(ref _workers, workers + 1, workers);
            if (found == workers)
            {
                if (workers == 1)
                {
                    // Before, the firing thread had it for itself. Otherwise what is left has waited for the pool since
                    // then.
                    Volatile.Write(ref _queuedAt, now);
                }

                if (!TryQueueWorker())
                {
                    RunHere();
                }

                return;
            }

            workers = found;
        }
    }

    /// <summary>Hands on the batch of that dispatcher which the calling driver thread runs, if it does.</summary>
    internal static void HandOnHere(FiringDispatcher dispatcher, long now)
    {
        if (s_here is { } here && here.IsOf(dispatcher))
        {
            here.HandOn(now);
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        if (!TryTakeQueued())
        {
            return;
        }

        ReportWait();
        var next = Interlocked.Increment(ref _next) - 1;
        if (next < _count - 1)
        {
            AddWorker();
        }

        Run(next);
    }

    private bool IsOf(FiringDispatcher other) => ReferenceEquals(dispatcher, other);

    // What is left has waited for this worker, however many have been before it: while their callbacks ran, it was the
    // next one's.
    private void ReportWait()
    {
        var count = _count - Volatile.Read(ref _next);
        if (count <= 0)
        {
            return;
        }

        var queuedAt = Volatile.Read(ref _queuedAt);
        if (!dispatcher.NotePoolWait(queuedAt, out var wait) || !Volatile.Read(ref _isUnreported))
        {
            return;
        }

        Volatile.Write(ref _isUnreported, false);
        if (dispatcher.AddLate(count, queuedAt + wait))
        {
            // The logger is the user's and may block. So another worker is queued first, and this one has taken no item
            // yet.
            AddWorker();
            dispatcher.WarnOfPoolWait(count, wait);
        }
    }

    private void Run(int next)
    {
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

    // Called by a worker. If the pool refuses, it goes on alone.
    private void AddWorker()
    {
        Interlocked.Increment(ref _workers);
        if (!TryQueueWorker())
        {
            Interlocked.Decrement(ref _workers);
            dispatcher.ExitWorker();
        }
    }

    /// <summary>Queues a worker that the batch has been given.</summary>
    /// <returns>
    /// False if the pool refuses. Then the worker, which has entered the dispatcher, is the caller's.
    /// </returns>
    private bool TryQueueWorker()
    {
        dispatcher.EnterWorker();
        Interlocked.Increment(ref _queued);
        return dispatcher.Supply.TryQueue(this) || !TryTakeQueued();
    }

    private bool TryTakeQueued()
    {
        var queued = Volatile.Read(ref _queued);
        while (queued != 0)
        {
            var found = Interlocked.CompareExchange(ref _queued, queued - 1, queued);
            if (found == queued)
            {
                return true;
            }

            queued = found;
        }

        return false;
    }
}

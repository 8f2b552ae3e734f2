namespace ScalableTimers.Firing;

/// <summary>Expired timers on their way through the thread pool: one work item for many.</summary>
/// <remarks>
/// <para>
/// A worker takes one item after the other. Before it runs its first item, a worker on a pool thread queues the batch
/// once more if other items are left. So while a callback blocks, the next free pool thread goes on with the rest, and
/// does the same in turn. Only the last worker to leave returns the batch.
/// </para>
/// <para>
/// A thread of the driver may be the first worker. It queues nothing. A thread that sees it stuck hands the rest on to
/// the pool.
/// </para>
/// </remarks>
internal sealed class FiringBatch(FiringDispatcher dispatcher) : IThreadPoolWorkItem
{
    // Chosen so that a batch of awaited delays is some 20 µs of work: long compared with the 100 ns of a work item,
    // short compared with a tick.
    internal const int Capacity = 128;

    // While somebody listens, the lateness of one of so many items is measured. A measurement costs some 100 ns, so a
    // firing costs a few nanoseconds more. A power of two.
    internal const int ItemsPerSample = 64;

    // 2^32 by the golden ratio. Its multiples, modulo 2^32, lie as evenly as any.
    private const uint SampleStep = 0x9E37_79B9;

    private const int NoWait = -1;

    // Far enough ahead for memory to answer in time, near enough to be still in the cache. docs/design.md has the gain.
    private const int FetchedAhead = 4;

    // The batch that a driver thread runs.
    [ThreadStatic]
    private static FiringBatch? s_here;

    // Guards
    //   _items, _count   the driver until the batch has begun; then slot i belongs to the worker that took number i
    //   _deadlineTicks   the same: the deadlines of the items, one of which is measured
    //   _sampled         the thread that begins the batch: the place of the item that is measured, and of those so many
    //                    behind it. Items in front wait less than those behind, so each batch measures another place
    //   _sampleAt        the same thread: the place as a share of 2^32
    //   _next            interlocked
    //   _workers         interlocked; the thread that begins the batch sets it from zero to one
    //   _queuedAt        the thread that begins the batch, or is the first to hand it on: since when the items left
    //                    have waited for a thread of the pool
    //   _isUnreported    set after _queuedAt; cleared by the worker that counts the items left as late
    private readonly FiringItem[] _items = new FiringItem[Capacity];
    private readonly long[] _deadlineTicks = new long[Capacity];
    private int _count;
    private int _sampled;
    private uint _sampleAt;
    private int _next;
    private int _workers;
    private long _queuedAt;
    private bool _isUnreported;

    internal int Count => _count;

    internal bool IsFull => _count == Capacity;

    /// <summary>How many items workers have asked for. It may be more than there are.</summary>
    internal int Taken => Volatile.Read(ref _next);

    internal void Add(FiringItem item, long deadlineTick = 0)
    {
        _deadlineTicks[_count] = deadlineTick;
        _items[_count++] = item;
    }

    /// <summary>Runs the batch on the pool. This thread must have entered the dispatcher.</summary>
    internal void Queue(long now)
    {
        Begin(now);
        QueueBegun();
    }

    /// <summary>
    /// Gives the batch its first worker: this thread, or one that is queued next. From now on the batch can be handed
    /// on.
    /// </summary>
    internal void Begin(long now)
    {
        _sampleAt += SampleStep;
        _sampled = (int)((ulong)_sampleAt * (uint)Math.Min(_count, ItemsPerSample) >> 32);
        Volatile.Write(ref _queuedAt, now);
        Volatile.Write(ref _isUnreported, true);

        // While _workers is zero, only this thread changes it.
        Volatile.Write(ref _workers, 1);
    }

    /// <summary>
    /// Queues a worker that the batch has been given. This thread must have entered the dispatcher, or be a worker.
    /// </summary>
    internal void QueueBegun()
    {
        dispatcher.EnterWorker();
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>
    /// Makes this thread the worker that the batch has been given. It must have entered the dispatcher, and has exited
    /// it afterwards.
    /// </summary>
    internal void RunHere()
    {
        var thread = Thread.CurrentThread;
        var (outer, isBackground, priority) = (s_here, thread.IsBackground, thread.Priority);
        s_here = this;
        Run(Interlocked.Increment(ref _next) - 1, NoWait);
        s_here = outer;

        // The pool restores these after each of its items too. A callback must not keep the process alive by making a
        // thread that is not its own a foreground thread.
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
    /// Queues one more worker unless no item is left to take. May be called for a batch that has ended, even if it is
    /// in use again.
    /// </summary>
    internal void HandOn(long now)
    {
        if (Volatile.Read(ref _next) >= _count)
        {
            return;
        }

        // A batch without a worker must not be touched: it is among the free ones, or is being filled. A second worker
        // does no harm to a batch that is in use again and has a worker.
        var workers = Volatile.Read(ref _workers);
        while (workers != 0)
        {
            var found = Interlocked.CompareExchange(ref _workers, workers + 1, workers);
            if (found == workers)
            {
                if (workers == 1)
                {
                    // Until now the firing thread had the batch for itself, so its items wait for the pool from now on.
                    // With more than one worker they have waited since _queuedAt.
                    Volatile.Write(ref _queuedAt, now);
                }

                QueueBegun();
                return;
            }

            workers = found;
        }
    }

    /// <summary>Hands on the batch that the calling driver thread runs, if it runs one of that dispatcher.</summary>
    internal static void HandOnHere(FiringDispatcher dispatcher, long now)
    {
        if (s_here is { } here && here.IsOf(dispatcher))
        {
            here.HandOn(now);
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        var wait = ReportWait();
        var next = Interlocked.Increment(ref _next) - 1;
        if (next < _count - 1)
        {
            AddWorker();
        }

        Run(next, wait);
    }

    private bool IsOf(FiringDispatcher other) => ReferenceEquals(dispatcher, other);

    // The items left have waited for this worker, however many workers came before it. While those ran their callbacks,
    // the rest was for the next worker to take.
    private long ReportWait()
    {
        var count = _count - Volatile.Read(ref _next);
        if (count <= 0)
        {
            return NoWait;
        }

        var queuedAt = Volatile.Read(ref _queuedAt);
        if (!dispatcher.NotePoolWait(queuedAt, out var wait) || !Volatile.Read(ref _isUnreported))
        {
            return wait;
        }

        Volatile.Write(ref _isUnreported, false);
        if (dispatcher.AddLate(count, queuedAt + wait))
        {
            // The logger is user code and may block. So another worker is queued first, and this worker has taken no
            // item yet.
            AddWorker();
            dispatcher.WarnOfPoolWait(count, wait);
        }

        return wait;
    }

    private void Run(int next, long poolWait)
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

            if (next % ItemsPerSample == _sampled)
            {
                dispatcher.FireSampled(item, _deadlineTicks[next]);
            }
            else
            {
                dispatcher.Fire(item);
            }

            fired++;
        }

        // Not before the first callback, because a listener may block.
        if (poolWait >= 0 && fired > 0)
        {
            dispatcher.SamplePoolWait(poolWait);
        }

        dispatcher.AddFired(fired);
        var isLast = Interlocked.Decrement(ref _workers) == 0;
        if (isLast)
        {
            _count = 0;
            _next = 0;
            dispatcher.Return(this);
        }

        // The worker exits last of all, so that code which waits for running callbacks sees all that this worker has
        // done.
        dispatcher.ExitWorker();
    }

    // Called by a worker.
    private void AddWorker()
    {
        Interlocked.Increment(ref _workers);
        QueueBegun();
    }
}

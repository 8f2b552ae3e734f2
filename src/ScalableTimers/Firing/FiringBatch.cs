using ScalableTimers.Clock;

namespace ScalableTimers.Firing;

/// <summary>Expired timers on their way through the thread pool: one work item for many.</summary>
/// <remarks>
/// <para>
/// A worker takes one item after another. Before it runs its first item, it queues the batch again if items are left.
/// So while a callback blocks, the next free pool thread continues with the rest, and does the same in turn. Only the
/// last worker to leave returns the batch.
/// </para>
/// <para>
/// While no pool thread comes, because the pool is full or its threads are blocked, the driver offers the batch again
/// to a thread that comes before all other work of the pool.
/// </para>
/// </remarks>
internal sealed class FiringBatch(FiringDispatcher dispatcher) : IThreadPoolWorkItem
{
    // Chosen so that a batch of awaited delays is about 20 µs of work: long compared with the 100 ns of a work item,
    // short compared with a tick.
    internal const int Capacity = 128;

    // While there is a listener, the lateness of one in this many items is measured. A measurement costs some 100 ns,
    // or a few nanoseconds for each firing.
    internal const int ItemsPerSample = 64;

    // Far enough ahead for memory to answer in time, near enough to still be in the cache. docs/design.md has the gain.
    private const int FetchedAhead = 4;

    // Guards
    //   _items, _count   the driver until the batch has begun; then slot i belongs to the worker that took number i
    //   _deadlineTicks   the same: the deadlines of the items, one of which is measured
    //   _sampled         the thread that begins the batch: the measured item's index, modulo ItemsPerSample. Items in
    //                    front wait less than those behind, so each batch measures another index
    //   _next            interlocked
    //   _workers         interlocked
    //   _queuedAt        the thread that begins the batch: when its items began to wait for a pool thread
    //   _isReported      exchange, by the worker that counts the remaining items as late
    //   _lookedAtTick, _nextSeen   the driver: when it last looked, and how many items had been taken by then
    //   _isOffered       the driver sets it before it offers the batch; the thread that takes the offer clears it
    // What the driver reads of _next, _workers and _isOffered may be old: it then looks once more.
    private readonly FiringItem[] _items = new FiringItem[Capacity];
    private readonly long[] _deadlineTicks = new long[Capacity];
    private int _count;
    private int _sampled;
    private int _next;
    private int _workers;
    private Timestamp _queuedAt;
    private int _isReported;
    private long _lookedAtTick;
    private int _nextSeen;
    private bool _isOffered;

    internal int Count => _count;

    internal void Add(FiringItem item, long deadlineTick = 0)
    {
        _deadlineTicks[_count] = deadlineTick;
        _items[_count++] = item;
    }

    /// <summary>Takes the one item out of a batch that has not begun.</summary>
    internal bool TryTakeOne(out FiringItem item, out long deadlineTick)
    {
        (item, deadlineTick) = (_items[0], _deadlineTicks[0]);
        var isThere = _count == 1;
        _items[0] = default;
        _count = 0;
        return isThere;
    }

    /// <summary>Starts to run the items, at least one, on the pool.</summary>
    internal void Start(Timestamp now)
    {
        _sampled = (_sampled + 1) % Math.Min(_count, ItemsPerSample);
        _queuedAt = now;
        _isReported = 0;
        QueueWorker();
    }

    /// <summary>Whether items wait for a thread. Read by the driver.</summary>
    internal bool IsWaiting => _next < _count;

    /// <summary>Notes that the driver watches the batch from a tick on.</summary>
    internal void BeginWatch(long nowTick)
    {
        _lookedAtTick = nowTick;
        _nextSeen = 0;
    }

    /// <summary>Whether no item has been taken since the driver looked at an earlier tick.</summary>
    internal bool IsStuck(long nowTick)
    {
        if (nowTick <= _lookedAtTick)
        {
            return false;
        }

        var seen = _nextSeen;
        _lookedAtTick = nowTick;
        _nextSeen = _next;
        return _nextSeen == seen;
    }

    /// <summary>Counts one more worker, which will call <see cref="RunOffered"/>. Called by the driver.</summary>
    /// <returns>False if there is one already, or if all workers have left.</returns>
    internal bool TryOffer()
    {
        // The last worker may be about to return the batch, which the driver then rents again. So only a batch that
        // still has a worker gets another.
        var workers = _isOffered ? 0 : _workers;
        while (workers > 0)
        {
            var found = Interlocked.CompareExchange(ref _workers, workers + 1, workers);
            if (found == workers)
            {
                _isOffered = true;
                return true;
            }

            workers = found;
        }

        return false;
    }

    /// <summary>Runs items that still wait, on a thread that comes before the queue of the pool.</summary>
    internal void RunOffered()
    {
        _isOffered = false;
        dispatcher.Workers.Add();
        Work();
    }

    void IThreadPoolWorkItem.Execute() => Work();

    private void Work()
    {
        dispatcher.Workers.Enter();
        ReportWait();
        var next = Interlocked.Increment(ref _next) - 1;
        if (next < _count - 1)
        {
            QueueWorker();
        }

        Run(next);
    }

    private void QueueWorker()
    {
        Interlocked.Increment(ref _workers);
        dispatcher.Workers.Add();
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    // The remaining items have waited for this worker, no matter how many came before it: while those ran their
    // callbacks, the rest was left to the next worker.
    private void ReportWait()
    {
        var count = _count - Volatile.Read(ref _next);
        if (count <= 0
            || !dispatcher.Watch.IsLongWait(_queuedAt, out var wait)
            || Interlocked.Exchange(ref _isReported, 1) != 0)
        {
            return;
        }

        if (dispatcher.Watch.AddLate(count, _queuedAt + wait))
        {
            // The logger is user code and may block, so queue another worker first. This worker has taken no item yet.
            QueueWorker();
            dispatcher.Watch.WarnOfPoolWait(count, wait);
        }
    }

    private void Run(int next)
    {
        var fired = 0;
        try
        {
            for (; next < _count; next = Interlocked.Increment(ref _next) - 1)
            {
                var item = _items[next];
                _items[next] = default;
                if (next + FetchedAhead < _count)
                {
                    _items[next + FetchedAhead].Prefetch();
                }

                fired++;
                var isOut = !item.IsWaitedFor && dispatcher.Workers.StepOut();
                if (next % ItemsPerSample == _sampled)
                {
                    dispatcher.FireSampled(item, _deadlineTicks[next]);
                }
                else
                {
                    dispatcher.Fire(item);
                }

                if (isOut)
                {
                    dispatcher.Workers.StepIn();
                }

                if (dispatcher.Workers.HasLeftHere())
                {
                    break;
                }
            }
        }
        finally
        {
            // Also after an exception that the process declares handled, which ends only this worker. The items that
            // are left belong to the worker that was queued before.
            Leave(fired);
        }
    }

    private void Leave(int fired)
    {
        dispatcher.AddFired(fired);
        if (Interlocked.Decrement(ref _workers) == 0)
        {
            _count = 0;
            _next = 0;
            dispatcher.Return(this);
        }

        // End the worker last, so that code that waits for running callbacks sees everything this worker has done.
        dispatcher.Workers.End();
    }
}

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
/// If the pool is full or its threads are blocked, workers come before all other work of the pool.
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
    //   _items, _count   the driver until the batch has begun; then a slot belongs to the worker that took its number
    //   _deadlineTicks   the same: the deadlines of the items, one of which is measured
    //   _sampled         the thread that begins the batch: the measured item's index, modulo ItemsPerSample. Items in
    //                    front wait less than those behind, so each batch measures another index
    //   _next            interlocked
    //   _workers         interlocked
    //   _isFirst         the driver, before the batch begins
    //   _queuedAt        the thread that begins the batch: when its items began to wait for a pool thread
    //   _isSpread        a worker that has waited long, before it queues one for each item
    private readonly FiringItem[] _items = new FiringItem[Capacity];
    private readonly long[] _deadlineTicks = new long[Capacity];
    private int _count;
    private int _sampled;
    private int _next;
    private int _workers;
    private Timestamp _queuedAt;
    private bool _isSpread;
    private bool _isFirst;

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

    /// <summary>Moves its newest item to a batch that has not begun either.</summary>
    internal void MoveNewestTo(FiringBatch other)
    {
        _count--;
        other.Add(_items[_count], _deadlineTicks[_count]);
        _items[_count] = default;
    }

    /// <summary>Starts to run the items, at least one, on the pool.</summary>
    /// <param name="now">When that is.</param>
    /// <param name="isUrgent">Whether they go before all other work of the pool.</param>
    /// <param name="isFirst">Whether others that expired with them do not.</param>
    internal void Start(Timestamp now, bool isUrgent = false, bool isFirst = false)
    {
        _sampled = (_sampled + 1) % Math.Min(_count, ItemsPerSample);
        _queuedAt = now;
        _isSpread = false;
        _isFirst = isFirst;
        QueueWorker(isUrgent, isHandedOn: false);
    }

    void IThreadPoolWorkItem.Execute()
    {
        dispatcher.Urgent.BeginAmongOthers();
        Work();
    }

    /// <summary>Runs items that still wait, on a thread of the pool that has been queued for it.</summary>
    internal void Work()
    {
        dispatcher.Workers.Enter();
        var now = dispatcher.Clock.Now();
        NoteWait(now);
        var next = Interlocked.Increment(ref _next) - 1;
        if (next < _count - 1 && !_isSpread)
        {
            QueueNextWorker();
        }

        Run(next, now);
    }

    // Among the others, the next worker would have its place behind what has been queued since this one.
    private void QueueNextWorker() => QueueWorker(dispatcher.Urgent.AreBehindOthers, isHandedOn: true);

    private void QueueWorker(bool isUrgent, bool isHandedOn)
    {
        Interlocked.Increment(ref _workers);
        dispatcher.Workers.Add();
        if (isUrgent)
        {
            dispatcher.Urgent.Add(this, isHandedOn);
        }
        else
        {
            dispatcher.Urgent.QueueAmongOthers(this);
        }
    }

    // The remaining items have waited for this worker, no matter how many came before it: while those ran their
    // callbacks, the rest was left to the next worker. If that took long, each item gets a worker at once, as each of
    // .NET's timers does: the next one would again have to wait for its turn. This worker has taken no item yet,
    // because the logger is user code and may block.
    private void NoteWait(Timestamp now)
    {
        var wait = now - _queuedAt;
        var count = _count - Volatile.Read(ref _next);
        if (_isSpread || count <= 0 || !dispatcher.Watch.IsLong(wait))
        {
            return;
        }

        _isSpread = true;
        for (var i = 0; i < count; i++)
        {
            QueueNextWorker();
        }

        dispatcher.Watch.AddLate(count, now, wait);
    }

    private void Run(int next, Timestamp began)
    {
        var fired = 0;
        var turn = TickClock.CoarseMilliseconds;
        try
        {
            for (; next < _count; next = Interlocked.Increment(ref _next) - 1)
            {
                // The newest first: a delay ends before the older timeout that would cancel it.
                var index = _count - 1 - next;
                var item = _items[index];
                _items[index] = default;
                if (index >= FetchedAhead)
                {
                    _items[index - FetchedAhead].Prefetch();
                }

                fired++;
                var isOut = !item.IsWaitedFor && dispatcher.Workers.StepOut();
                if (next % ItemsPerSample == _sampled)
                {
                    dispatcher.FireSampled(item, _deadlineTicks[index]);
                }
                else
                {
                    dispatcher.Fire(item);
                }

                if (isOut)
                {
                    dispatcher.Workers.StepIn();
                }

                if (dispatcher.Workers.HasLeftHere() || dispatcher.Urgent.IsTurnOver(turn))
                {
                    break;
                }
            }
        }
        finally
        {
            // Also after an exception that the process declares handled, which ends only this worker. The items that
            // are left belong to the worker that was queued before.
            Leave(fired, began);
        }
    }

    private void Leave(int fired, Timestamp began)
    {
        dispatcher.Urgent.Charge(began, _isFirst);
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

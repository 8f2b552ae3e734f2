using System.Collections.Concurrent;
using ScalableTimers.Clock;

namespace ScalableTimers.Firing;

/// <summary>Batches that go before all other work of a pool that is full, or whose threads are blocked.</summary>
/// <remarks>
/// Timeouts are what ends the waits that block a pool's threads, so they must not wait behind these. All threads of the
/// pool serve one queue before all else. .NET puts there the callbacks of registered waits, and of its timers that are
/// due together one; the others go to the end of all other work. So a registered wait, for an event that is set, calls
/// a thread. That takes twice the time of queueing a work item, so a pool with free threads gets its batches as usual.
/// <para>
/// What ends waits is short. Callbacks that compute could take all threads from the other work. So if workers have
/// lately taken more than about a quarter of the processors' time, and the process does not merely wait, only one item
/// of a pass goes first, and a thread goes back to the pool after some milliseconds.
/// </para>
/// </remarks>
internal sealed class UrgentBatches(TickClock clock)
{
    private const int PartOfTheProcessors = 4;
    private const int TurnMilliseconds = 8;

    private static readonly ManualResetEvent s_set = new(initialState: true);

    // Guards
    //   _expired    any thread: batches that have not begun. They come first, the newest before all: others may be
    //               blocked until they run. Of .NET's timers that are due together the newest goes first too
    //   _handedOn   any thread: batches of which items are left
    //   _isCalled   exchange: set by whoever calls a thread, after adding a batch; the thread that comes clears it,
    //               then takes batches. So no batch is left without a thread that is about to come. Set without a
    //               fence by a thread that will come in any case
    //   _others     interlocked: the workers that have been queued among other work, before they are, until they begin
    //   _paidAt, _firstAgainAt   workers that end; guesses, because one may overwrite what another has written
    private readonly ConcurrentStack<FiringBatch> _expired = new();
    private readonly ConcurrentQueue<FiringBatch> _handedOn = new();
    private readonly Duration _mostDebt = clock.ToDuration(TimeSpan.FromMilliseconds(250));
    private readonly Duration _credit = clock.ToDuration(TimeSpan.FromMilliseconds(100));
    private readonly Processors _processors = new(clock);
    private bool _isCalled;
    private int _others;
    private Timestamp _paidAt;
    private Timestamp _firstAgainAt;

    /// <summary>Whether other work than that of batches waits for a thread of the pool.</summary>
    /// <remarks>A guess: other threads change what it reads.</remarks>
    internal bool AreBehindOthers => ThreadPool.PendingWorkItemCount > _others + (_isCalled ? 1 : 0);

    /// <summary>Whether batches must go before other work: no thread of the pool would begin them at once.</summary>
    /// <param name="isOnPool">Whether the calling thread is the pool's, and is about to become free.</param>
    internal static bool AreNeeded(bool isOnPool) =>
        ThreadPool.PendingWorkItemCount > 0 || !(isOnPool || HasFreeThreads());

    /// <summary>
    /// Whether all that expires may go first: workers have taken little time lately, or have waited for most of it.
    /// </summary>
    internal bool AreAffordable(Timestamp now) => _paidAt - now <= _credit || !_processors.AreBusy(now);

    /// <summary>Whether one of them may: not for as long after the last that did as its worker took.</summary>
    /// <remarks>Those that compute and soon expire again would otherwise go before all that wait, for ever.</remarks>
    internal bool IsOneAffordable(Timestamp now) => now >= _firstAgainAt;

    /// <summary>Charges the time that a worker has taken.</summary>
    internal void Charge(Timestamp began, bool isFirst)
    {
        // A worker that the system suspends for a few milliseconds does not use up the credit, and one that blocks for
        // long is soon paid for.
        var now = clock.Now();
        var charged = new Duration((now - began).Units * PartOfTheProcessors / Environment.ProcessorCount);
        var paidAt = (_paidAt > now ? _paidAt : now) + charged;
        var latest = now + _mostDebt;
        _paidAt = paidAt < latest ? paidAt : latest;
        if (isFirst)
        {
            var again = now + (now - began);
            _firstAgainAt = again < latest ? again : latest;
        }
    }

    /// <summary>Queues a worker among the other work of the pool.</summary>
    internal void QueueAmongOthers(FiringBatch batch)
    {
        Interlocked.Increment(ref _others);
        ThreadPool.UnsafeQueueUserWorkItem(batch, preferLocal: false);
    }

    internal void BeginAmongOthers() => Interlocked.Decrement(ref _others);

    /// <summary>Adds a batch for one more worker, and calls a thread for it.</summary>
    internal void Add(FiringBatch batch, bool isHandedOn)
    {
        if (isHandedOn)
        {
            _handedOn.Enqueue(batch);
        }
        else
        {
            _expired.Push(batch);
        }

        Call();
    }

    /// <summary>
    /// Whether a thread has run items for so long that it goes back to the pool. What they have queued there comes
    /// next, as after each of .NET's timers. Another thread has been called for what is left.
    /// </summary>
    /// <remarks>Not in a pool that is blocked: its next work item might take the thread away for good.</remarks>
    /// <param name="began">When it began, in <see cref="TickClock.CoarseMilliseconds"/>.</param>
    internal bool IsTurnOver(long began) =>
        TickClock.CoarseMilliseconds - began >= TurnMilliseconds && _processors.AreBusy(clock.Now());

    /// <summary>Makes the calling thread the one that comes, by <see cref="Serve"/>.</summary>
    internal void BeCalled() => _isCalled = true;

    /// <summary>Runs what has been added.</summary>
    internal void Serve()
    {
        Interlocked.Exchange(ref _isCalled, false);
        var began = TickClock.CoarseMilliseconds;
        while (_expired.TryPop(out var batch) || _handedOn.TryDequeue(out batch))
        {
            if (!(_expired.IsEmpty && _handedOn.IsEmpty))
            {
                // The callbacks of this batch may block.
                Call();
            }

            batch.Work();
            if (IsTurnOver(began))
            {
                // Not before it has taken a batch: a thread has then been called for whatever is left.
                return;
            }
        }
    }

    private void Call()
    {
        if (Interlocked.Exchange(ref _isCalled, true))
        {
            return;
        }

        try
        {
            ThreadPool.UnsafeRegisterWaitForSingleObject(
                s_set,
                static (batches, _) => ((UrgentBatches)batches!).Serve(),
                this,
                Timeout.Infinite,
                executeOnlyOnce: true);
        }
        catch (OutOfMemoryException)
        {
            // The thread that waits cannot be started.
            ThreadPool.UnsafeQueueUserWorkItem(static batches => ((UrgentBatches)batches!).Serve(), this);
        }
    }

    // While fewer threads than its minimum work, the pool has one for each item at once.
    private static bool HasFreeThreads()
    {
        ThreadPool.GetMaxThreads(out var most, out _);
        ThreadPool.GetAvailableThreads(out var available, out _);
        ThreadPool.GetMinThreads(out var least, out _);
        return most - available < least;
    }
}

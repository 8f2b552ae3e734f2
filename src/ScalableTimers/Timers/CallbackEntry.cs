using System.Runtime.CompilerServices;
using ScalableTimers.Collections;
using ScalableTimers.Firing;

namespace ScalableTimers.Timers;

/// <summary>A scheduled callback. A holder of the entry also holds the state word of the life it refers to.</summary>
/// <remarks>
/// Any thread can end the entry's life by a compare-exchange of its <see cref="EntryState"/>, without the collection's
/// lock. A cancelled entry stays linked, but empty, until the collection has been notified.
/// </remarks>
internal sealed class CallbackEntry(TimerCollection collection) : PooledEntry(collection)
{
    // Guards
    //   State               see EntryState
    //   _callback, _state   the thread that begins a life, under the collection's lock; then the thread that ended it
    private TimerCallback? _callback;
    private object? _state;

    /// <summary>
    /// Schedules a callback. Called by the collection's owner, or by any thread if all threads share the collection.
    /// </summary>
    /// <param name="collection">The collection to link the entry into.</param>
    /// <param name="callback">The callback.</param>
    /// <param name="state">The object to pass to the callback.</param>
    /// <param name="dueTime">Not negative, or infinite.</param>
    /// <param name="life">The state word of the new life.</param>
    /// <returns>The entry.</returns>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    internal static CallbackEntry Schedule(
        TimerCollection collection,
        TimerCallback callback,
        object? state,
        TimeSpan dueTime,
        out long life)
    {
        var deadlineTick = collection.DeadlineTick(dueTime);
        var me = collection.Scheduler;
        collection.EnterOpen(me);
        var entry = Unsafe.As<CallbackEntry?>(collection.TakeCallbackLocked());
        if (entry is null)
        {
            // Allocate outside the lock: an allocation can fail, and nothing that can fail is done under the lock.
            collection.Exit(me);
            entry = new CallbackEntry(collection);
            collection.EnterOpen(me);
        }

        life = entry.BeginLocked(callback, state);
        try
        {
            collection.LinkOrMoveAndExit(entry, deadlineTick, me);
            return entry;
        }
        catch
        {
            // A user's clock could not be set.
            entry.TryCancel(life);
            throw;
        }
    }

    /// <summary>Gives the life a new due time, counted from now, unless the life has already ended.</summary>
    internal bool TryReschedule(long life, TimeSpan dueTime)
    {
        var collection = Collection;
        if (collection.Registry is null)
        {
            return false;
        }

        var deadlineTick = collection.DeadlineTick(dueTime);
        var me = Environment.CurrentManagedThreadId;
        if (!collection.Enter(me) || State.Read() != life)
        {
            collection.Exit(me);
            return false;
        }

        try
        {
            collection.MoveAndExit(this, deadlineTick, me);
            return true;
        }
        catch
        {
            TryCancel(life);
            throw;
        }
    }

    /// <summary>Cancels the life, unless it has already ended.</summary>
    internal bool TryCancel(long life)
    {
        // The compare-exchange comes first: reading the entry before it would fetch its cache line from another
        // processor twice.
        if (!TryEnd(life))
        {
            return false;
        }

        Collection.TakeBackCancelled(this);
        return true;
    }

    internal override bool TryExpireLocked(long nowTick, out FiringItem item)
    {
        // Read callback and state before the life ends: afterwards they are cleared. No life begins while the lock is
        // held. If this life is cancelled in the meantime, the values read here are not used.
        item = new FiringItem(_callback!, _state);
        if (!TryEndLocked())
        {
            return false;
        }

        Collection.Callbacks.PushLocked(this);
        return true;
    }

    internal override bool TryReadLocked(out PendingEntry pending)
    {
        // No life begins while the lock is held, so a callback that is read after the state is this life's. A thread
        // that ends the life clears it.
        var isLive = EntryState.IsLive(State.Read());
        var callback = _callback;
        pending = new PendingEntry(PendingTimerKind.Callback, DeadlineTick, callback, State: null);
        return isLive && callback is not null;
    }

    internal override ServiceEnd EndWithServiceLocked(ServicePhase phase) =>
        phase == ServicePhase.Disposed && TryEndLocked() ? ServiceEnd.Dropped : ServiceEnd.None;

    // Begins a life, under the collection's lock. Until then no other thread can reach the entry.
    private long BeginLocked(TimerCallback callback, object? state)
    {
        _callback = callback;
        _state = state;
        return State.BeginLocked();
    }

    // If the entry has been cancelled, the cancelling thread hands it to the collection.
    private bool TryEndLocked()
    {
        var life = State.Read();
        return EntryState.IsLive(life) && TryEnd(life);
    }

    /// <summary>Ends the life and releases callback and state, unless the life has already ended.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryEnd(long life)
    {
        if (!State.TryEnd(life, hasResult: false))
        {
            return false;
        }

        _callback = null;
        _state = null;
        return true;
    }
}

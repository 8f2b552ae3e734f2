using System.Runtime.CompilerServices;
using ScalableTimers.Collections;
using ScalableTimers.Firing;

namespace ScalableTimers.Timers;

/// <summary>A scheduled callback. Whoever holds it also holds the word that its life has.</summary>
/// <remarks>
/// Any thread ends it by a compare-exchange of its <see cref="EntryState"/>, without the collection's lock. Until the
/// collection has been told, a cancelled entry stays linked, empty.
/// </remarks>
internal sealed class CallbackEntry(TimerCollection collection) : PooledEntry(collection)
{
    // Guards
    //   State               see there
    //   _callback, _state   the thread that begins a life, under the collection's lock; then the one that has ended it
    private TimerCallback? _callback;
    private object? _state;

    /// <summary>
    /// Schedules a callback. Called by the collection's owner, or by any thread if all share the collection.
    /// </summary>
    /// <param name="collection">Where to.</param>
    /// <param name="callback">What to run.</param>
    /// <param name="state">What to pass to it.</param>
    /// <param name="dueTime">Not negative, or infinite.</param>
    /// <param name="life">The word of the life that the entry has begun.</param>
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
            // Nothing that can fail is done under the lock, and an allocation can.
            collection.Exit(me);
            entry = new CallbackEntry(collection);
            collection.EnterOpen(me);
        }

        life = entry.BeginLocked(callback, state);
        collection.LinkOrMoveAndExit(entry, deadlineTick, me);
        return entry;
    }

    /// <summary>Gives that life a new due time, from now, unless it has ended already.</summary>
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

        collection.MoveAndExit(this, deadlineTick, me);
        return true;
    }

    /// <summary>Cancels that life, unless it has ended already.</summary>
    internal bool TryCancel(long life)
    {
        // First of all the compare-exchange: reading the entry before would fetch its cache line from another processor
        // twice.
        if (!TryEnd(life))
        {
            return false;
        }

        Collection.TakeBackCancelled(this);
        return true;
    }

    internal override bool TryExpireLocked(long nowTick, out FiringItem item)
    {
        // Read before the life is ended: afterwards they are gone. No life begins while the lock is held; if this one
        // is cancelled meanwhile, what was read goes unused.
        item = new FiringItem(_callback!, _state);
        if (!TryEndLocked())
        {
            return false;
        }

        Collection.Callbacks.PushLocked(this);
        return true;
    }

    internal override ServiceEnd EndWithServiceLocked(ServicePhase phase) =>
        phase == ServicePhase.Disposed && TryEndLocked() ? ServiceEnd.Dropped : ServiceEnd.None;

    // Begins a life, under the collection's lock. Nobody else can reach the entry before.
    private long BeginLocked(TimerCallback callback, object? state)
    {
        _callback = callback;
        _state = state;
        return State.BeginLocked();
    }

    // If it has been cancelled, whoever did so hands it to the collection.
    private bool TryEndLocked()
    {
        var life = State.Read();
        return EntryState.IsLive(life) && TryEnd(life);
    }

    /// <summary>Ends that life and lets go of callback and state, unless it has ended already.</summary>
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

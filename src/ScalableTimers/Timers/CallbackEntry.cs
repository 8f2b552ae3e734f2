using System.Runtime.CompilerServices;
using ScalableTimers.Collections;
using ScalableTimers.Firing;

namespace ScalableTimers.Timers;

/// <summary>A scheduled callback. Whoever holds it also holds the word that its life has.</summary>
/// <remarks>
/// Any thread ends it by a compare-exchange of its <see cref="EntryState"/>, without the collection's lock. Until the collection
/// has been told, a cancelled entry stays linked, empty.
/// </remarks>
internal sealed class CallbackEntry(TimerCollection collection) : PooledEntry(collection)
{
    // Guards
    //   State               see there
    //   _callback, _state   the thread that begins a life, under the collection's lock; then the one that has ended it
    private TimerCallback? _callback;
    private object? _state;

    /// <summary>Begins a life, under the collection's lock. Nobody else can reach the entry before.</summary>
    /// <returns>The word of this life.</returns>
    internal long BeginLocked(TimerCallback callback, object? state)
    {
        _callback = callback;
        _state = state;
        return State.BeginLocked();
    }

    /// <summary>Whether that life goes on.</summary>
    internal bool Lives(long life) => State.Read() == life;

    /// <summary>Cancels that life, unless it has ended already.</summary>
    internal bool TryCancel(long life)
    {
        // First of all the compare-exchange: reading the entry before would fetch its cache line from another processor twice.
        if (!TryEnd(life))
        {
            return false;
        }

        Collection.TakeBackCancelled(this);
        return true;
    }

    internal override bool TryExpireLocked(long nowTick, out FiringItem item)
    {
        // Read before the life is ended: afterwards they are gone. No life begins while the lock is held; if this one is
        // cancelled meanwhile, what was read goes unused.
        item = new FiringItem(_callback!, _state);
        if (!TryEndLocked())
        {
            return false;
        }

        Collection.ReleaseLocked(this);
        return true;
    }

    internal override ServiceEnd EndWithServiceLocked(ServicePhase phase) =>
        phase == ServicePhase.Disposed && TryEndLocked() ? ServiceEnd.Dropped : ServiceEnd.None;

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

using System.Diagnostics;
using System.Runtime.CompilerServices;
using ScalableTimers.Driving;

namespace ScalableTimers.Collections;

/// <summary>A scheduled callback. Pooled: whoever holds it also holds the version that it had.</summary>
/// <remarks>
/// Who ends it, by cancelling, firing or dropping it, is decided by a compare-exchange of the version, so that another thread can cancel it
/// without the collection's lock. Until the collection has been told, a cancelled entry stays linked, empty.
/// </remarks>
internal sealed class CallbackEntry(TimerCollection collection) : CollectionEntry(collection)
{
    // Guards
    //   _version            odd while it lives: made odd under the collection's lock, even by compare-exchange
    //   _callback, _state   the thread that arms it, under the collection's lock; then the one that has won the version
    private TimerCallback? _callback;
    private object? _state;
    private long _version;

    /// <summary>Raised at each end and each beginning, so that what was handed out earlier no longer matches. 64 bits do not wrap.</summary>
    internal long Version => Volatile.Read(ref _version);

    /// <summary>Begins a life, under the collection's lock. Nobody else can reach it before.</summary>
    /// <returns>The version that this life has.</returns>
    internal long Arm(TimerCallback callback, object? state)
    {
        _callback = callback;
        _state = state;
        var version = _version + 1;
        Volatile.Write(ref _version, version);
        return version;
    }

    /// <summary>Ends the life of that version and lets go of callback and state, unless it has ended already.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryEnd(long version)
    {
        if (Interlocked.CompareExchange(ref _version, version + 1, version) != version)
        {
            return false;
        }

        _callback = null;
        _state = null;
        return true;
    }

    /// <summary>Cancels the life of that version, unless it has ended already.</summary>
    internal bool TryCancel(long version)
    {
        // First of all the compare-exchange: reading the entry before would fetch its cache line from another processor twice.
        if (!TryEnd(version))
        {
            return false;
        }

        Collection.TakeBackCancelled(this);
        return true;
    }

    internal override bool TryExpireLocked(out FiringItem item)
    {
        // Read before it is won: afterwards they are gone. Under the lock nobody arms it meanwhile; if somebody cancels it, they go unused.
        item = new FiringItem(_callback!, _state);
        if (!TryEndLocked())
        {
            return false;
        }

        Collection.ReleaseLocked(this);
        return true;
    }

    /// <summary>Under the collection's lock: ends the present life, if there is one.</summary>
    /// <returns>False if it has been cancelled; then whoever did so hands it to the collection.</returns>
    internal override bool TryEndLocked()
    {
        var version = Version;
        return (version & 1) != 0 && TryEnd(version);
    }

    internal override void PostponeLocked(long deadlineTick, long late)
    {
        // If it has been cancelled it is moved in vain.
        if (IsLinked && DeadlineTick == deadlineTick)
        {
            Collection.MoveLocked(this, deadlineTick + Collection.Clock.DeadlineTick(late));
        }
    }

    internal override void Fire() => throw new UnreachableException("A callback entry is released before its callback runs.");
}

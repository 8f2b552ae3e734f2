using System.Runtime.CompilerServices;

namespace ScalableTimers.Collections;

/// <summary>
/// Idle entries of one kind, to be used again: those that their collection's owner ended, and those that others did.
/// </summary>
/// <remarks>
/// The owner keeps and takes without the lock, the last one first, because it is in the cache. What the owner keeps may
/// still be linked: unlinking it would be wasted where the next life goes into the same slot, and mostly it does. The
/// room for them is small, and so is the number of entries that are linked in vain. What others ended is not linked,
/// and chained by the links that it has no other use for.
/// </remarks>
internal struct EntryStore()
{
    internal const int OwnCapacity = 64;
    private const int FreeCapacity = 4096;

    // Guards
    //   _own, _ownCount      the collection's owner alone
    //   _free, _freeCount    the collection's lock; _freeCount is also read without, as a guess that may be wrong
    //                        either way
    private readonly Place[] _own = new Place[OwnCapacity];
    private int _ownCount;
    private PooledEntry? _free;
    private int _freeCount;

    internal readonly bool HasFree => _freeCount > 0;

    internal readonly bool IsFull => _freeCount >= FreeCapacity;

    /// <summary>Called by the owner: keeps an entry, which may be linked. False if there is no room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryKeep(PooledEntry entry)
    {
        var count = _ownCount;
        var places = _own;
        if ((uint)count >= (uint)places.Length)
        {
            return false;
        }

        // The last one to be taken mostly comes back first, and then its place need not be written.
        ref var place = ref places[count].Entry;
        if (!ReferenceEquals(place, entry))
        {
            place = entry;
        }

        _ownCount = count + 1;
        return true;
    }

    /// <summary>Called by the owner: takes an entry, which may be linked.</summary>
    /// <remarks>It stays in its place until another one comes there: entries are their collection's for life.</remarks>
    internal PooledEntry? TryTake() => _ownCount == 0 ? null : _own[--_ownCount].Entry;

    /// <summary>Keeps an entry that is not linked, unless there are many.</summary>
    internal void PushLocked(PooledEntry entry)
    {
        if (_freeCount < FreeCapacity)
        {
            entry.Older = _free;
            _free = entry;
            _freeCount++;
        }
    }

    internal PooledEntry? TryPopLocked()
    {
        var entry = _free;
        if (entry is not null)
        {
            _free = Unsafe.As<PooledEntry?>(entry.Older);
            entry.Older = null;
            _freeCount--;
        }

        return entry;
    }

    internal void ClearFreeLocked()
    {
        _free = null;
        _freeCount = 0;
    }

    // Not a bare reference: storing one into an array checks its type each time, storing a field does not.
    private struct Place
    {
        internal PooledEntry? Entry;
    }
}

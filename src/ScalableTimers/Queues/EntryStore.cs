using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Queues;

/// <summary>
/// Idle entries of one kind, to be used again: those that the queue's owner ended, and those that other threads
/// ended.
/// </summary>
/// <remarks>
/// The owner keeps and takes entries without the lock. It takes the last one first, because that one is in the cache.
/// A callback that the owner keeps may still be linked: unlinking it would be wasted when the next life goes into the
/// same slot, which is the usual case. The room for such entries is small, which bounds how many ended entries stay
/// linked. Free entries are not linked. They form a chain through their links, which have no other use then.
/// </remarks>
internal struct EntryStore
{
    internal const int OwnCapacity = 64;
    private const int FreeCapacity = 4096;

    // Guards
    //   _own, _ownCount      the queue's owner alone; Open and Close replace _own, which others see empty or not
    //   _free, _freeCount    the queue's lock; they are also read without it, as a guess
    private Place[] _own;
    private int _ownCount;
    private QueueEntry? _free;
    private int _freeCount;

    internal readonly bool HasFree => _free is not null;

    internal readonly bool IsFull => _freeCount >= FreeCapacity;

    /// <summary>Makes room for a new owner's entries.</summary>
    internal void Open()
    {
        _own = new Place[OwnCapacity];
        _ownCount = 0;
    }

    /// <summary>Keeps an entry, which may be linked. Called by the owner. Returns false if there is no room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryKeep(QueueEntry entry)
    {
        var count = _ownCount;
        var places = _own;
        if ((uint)count >= (uint)places.Length)
        {
            return false;
        }

        // The entry taken last is mostly the first to come back. Its place still holds it then and need not be written.
        ref var place = ref places[count].Entry;
        if (!ReferenceEquals(place, entry))
        {
            place = entry;
        }

        _ownCount = count + 1;
        return true;
    }

    /// <summary>Takes an entry, which may be linked. Called by the owner.</summary>
    /// <remarks>
    /// The place refers to the entry until another one is put there: an entry belongs to one queue for life.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal QueueEntry? TryTake()
    {
        var count = _ownCount - 1;
        var places = _own;
        if ((uint)count >= (uint)places.Length)
        {
            return null;
        }

        _ownCount = count;
        return places[count].Entry;
    }

    /// <summary>Keeps an entry that is not linked, unless there are many already or the store is closed.</summary>
    internal void PushLocked(QueueEntry entry)
    {
        if (_freeCount < FreeCapacity && _own.Length > 0)
        {
            entry.Older = _free;
            AssertCountLocked();
            _free = entry;
            _freeCount++;
        }
    }

    internal QueueEntry? TryPopLocked()
    {
        var entry = _free;
        if (entry is not null)
        {
            AssertCountLocked();
            _free = Unsafe.As<QueueEntry?>(entry.Older);
            entry.Older = null;
            _freeCount--;
        }

        return entry;
    }

    /// <summary>
    /// Drops all entries, none of which is linked, and leaves no room for others. Called under the lock when the owner
    /// has ended, or when the service has been disposed.
    /// </summary>
    internal void Close()
    {
        _own = [];
        _free = null;
        _freeCount = 0;
    }

    // Between what is read and what is written: there the exploration lets others in when it leaves out the lock.
    [Conditional("DEBUG")]
    private readonly void AssertCountLocked() =>
        Debug.Assert(_free is null == (_freeCount == 0), "The count does not match the chain of free entries.");

    // Wraps the reference, because a store into an array of references checks the type each time and a store into a
    // field does not.
    private struct Place
    {
        internal QueueEntry? Entry;
    }
}

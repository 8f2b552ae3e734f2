using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Queues;

/// <summary>
/// Idle entries of one kind, kept for reuse: those that the queue's owner ended, and those that other threads ended.
/// </summary>
/// <remarks>
/// The owner keeps and takes entries without the lock, last in, first out, because the last one is in the cache. A
/// callback that the owner keeps may still be linked: unlinking is wasted if the next life goes into the same slot, as
/// it usually does. The small capacity bounds how many ended entries stay linked. Free entries are not linked, so their
/// links are used to chain them.
/// </remarks>
internal struct EntryStore
{
    internal const int OwnCapacity = 64;
    private const int FreeCapacity = 4096;

    // Guards
    //   _own, _ownCount      the queue's owner alone, except that Open and Close replace _own; others read its length
    //   _free, _freeCount    the queue's lock; they are also read without it, as a hint
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

        // The entry taken last usually comes back first. Its place then still holds it and need not be written.
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
    /// The place keeps its reference until another entry goes there. That is fine: an entry never changes its queue.
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

    /// <summary>Keeps an entry that is not linked, unless the store is full or closed.</summary>
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

    // Called between a read and a write: where exploration omits the lock, it lets other threads in here.
    [Conditional("DEBUG")]
    private readonly void AssertCountLocked() =>
        Debug.Assert(_free is null == (_freeCount == 0), "The count does not match the chain of free entries.");

    // Wraps the reference: storing a reference into an array checks the type each time, but storing into a field does
    // not.
    private struct Place
    {
        internal QueueEntry? Entry;
    }
}

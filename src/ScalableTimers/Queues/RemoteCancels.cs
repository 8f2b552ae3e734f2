using System.Runtime.InteropServices;

namespace ScalableTimers.Queues;

/// <summary>
/// Entries of scheduled callbacks that other threads have cancelled and that the queue has yet to unlink.
/// </summary>
/// <remarks>
/// A thread that cancels another thread's timer ends its life by compare-exchange and leaves the entry here, without
/// the lock. Taking the lock would bounce its cache lines and the wheel's between processors, which costs more than
/// everything else. The places are an array, not a linked list, so that the processor can fetch several entries at
/// once. When all are taken, the next thread that cancels must empty them itself, under the lock. So the capacity
/// bounds how many cancelled entries stay linked.
/// </remarks>
internal sealed class RemoteCancels
{
    internal const int Capacity = 128;

    // Guards
    //   _claims   interlocked; reset to 0 under the queue's lock when all claimed places have been emptied
    //   _places   place i belongs to the thread that claimed i until it is written, then to the thread that empties it
    //   _taken, _known   the queue's lock
    private readonly Place[] _places = new Place[Capacity];
    private PaddedCount _claims;
    private int _taken;

    // _claims as last read, at most Capacity. Each read of _claims fetches a cache line that other threads write, so
    // one read serves many entries.
    private int _known;

    /// <summary>Leaves an entry to be unlinked later.</summary>
    /// <returns>
    /// False if there is no room. The caller must then take the lock, empty the places and unlink the entry itself.
    /// </returns>
    internal bool TryAdd(QueueEntry entry)
    {
        var place = Interlocked.Increment(ref _claims.Value) - 1;
        if (place >= Capacity)
        {
            return false;
        }

        // A release: the thread that takes the entry out sees the write that ended its life.
        Volatile.Write(ref _places[place].Entry, entry);
        return true;
    }

    /// <summary>Takes out one entry. Called under the queue's lock.</summary>
    /// <returns>An entry, or null if none is left or the next place has been claimed but not yet written.</returns>
    internal QueueEntry? TakeLocked()
    {
        while (true)
        {
            if (_taken < _known)
            {
                ref var place = ref _places[_taken].Entry;
                var entry = Volatile.Read(ref place);
                if (entry is not null)
                {
                    place = null;
                    _taken++;
                }

                return entry;
            }

            var claims = Volatile.Read(ref _claims.Value);
            _known = Math.Min(claims, Capacity);
            if (_taken == _known)
            {
                // Claims beyond the last place belong to threads that unlink their entries themselves, so the reset
                // loses nothing.
                if (claims == 0 || Interlocked.CompareExchange(ref _claims.Value, 0, claims) == claims)
                {
                    _taken = 0;
                    _known = 0;
                    return null;
                }
            }
        }
    }

    private struct Place
    {
        internal QueueEntry? Entry;
    }

    // The count has its own cache lines, because cancelling threads write it all the time while other threads read the
    // fields beside it.
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct PaddedCount
    {
        [FieldOffset(128)]
        internal int Value;
    }
}

using System.Runtime.InteropServices;

namespace ScalableTimers.Collections;

/// <summary>Entries that other threads have cancelled and that the collection has yet to unlink.</summary>
/// <remarks>
/// Whoever cancels from elsewhere wins the entry by compare-exchange and leaves it here, without the lock: passing the
/// lock's and the wheel's cache lines to and fro would cost more than all else. The places are an array rather than a
/// chain so that the processor fetches the entries side by side when they are taken out. When all places are taken the
/// next one has to empty them itself, under the lock, so their number bounds what is linked in vain.
/// </remarks>
internal sealed class RemoteCancelQueue
{
    internal const int Capacity = 128;

    // Guards
    //   _claims   interlocked; set back to 0 under the collection's lock when all places below have been taken out
    //   _places   place i belongs to the thread that claimed i until it is written, then to the one that takes out
    //   _taken, _known   the collection's lock
    private readonly Place[] _places = new Place[Capacity];
    private PaddedCount _claims;
    private int _taken;

    // The claims as last read. Reading them anew fetches the line that others write, so it is done once for many.
    private int _known;

    /// <summary>Leaves an entry to be unlinked later.</summary>
    /// <returns>
    /// False if there is no room: the caller is to take the lock, take out what is here and unlink the entry itself.
    /// </returns>
    internal bool TryAdd(PooledEntry entry)
    {
        var place = Interlocked.Increment(ref _claims.Value) - 1;
        if (place >= Capacity)
        {
            return false;
        }

        // A release: whoever takes the entry out sees what ended its life.
        Volatile.Write(ref _places[place].Entry, entry);
        return true;
    }

    /// <summary>Under the collection's lock: takes out one entry.</summary>
    /// <returns>
    /// An entry, or null when there is none, or when the next one has been claimed but not yet written.
    /// </returns>
    internal PooledEntry? TakeLocked()
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
                // Claims beyond the last place belong to threads that unlink for themselves, so they may be forgotten.
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
        internal PooledEntry? Entry;
    }

    // On cache lines of its own: those who cancel write it all the time, and what lies beside it is read by others.
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct PaddedCount
    {
        [FieldOffset(128)]
        internal int Value;
    }
}

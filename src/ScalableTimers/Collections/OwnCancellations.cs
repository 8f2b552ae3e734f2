namespace ScalableTimers.Collections;

/// <summary>Entries that a collection's owner has cancelled and that have yet to be unlinked, the last one on top because it is in the cache.</summary>
internal struct OwnCancellations()
{
    private const int Capacity = 64;

    // Guards
    //   _places, _count   the owner alone
    //   _total            the owner writes it, others may read it
    private readonly Place[] _places = new Place[Capacity];
    private int _count;
    private long _total;

    /// <summary>How many have been cancelled here, ever. May be read by any thread.</summary>
    internal readonly long Total => Volatile.Read(in _total);

    /// <summary>Adds an entry; false if there is no room.</summary>
    internal bool TryAdd(CallbackEntry entry)
    {
        var count = _count;
        var places = _places;
        if ((uint)count >= (uint)places.Length)
        {
            return false;
        }

        places[count].Entry = entry;
        _count = count + 1;
        Volatile.Write(ref _total, _total + 1);
        return true;
    }

    // What is taken stays in its place until another one comes: entries are the collection's for life.
    internal CallbackEntry? TryTake() => _count == 0 ? null : _places[--_count].Entry;

    private struct Place
    {
        internal CallbackEntry? Entry;
    }
}

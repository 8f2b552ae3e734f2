using System.Runtime.CompilerServices;

namespace ScalableTimers.Collections;

/// <summary>What a collection's owner knows of its delays: which it may use again, and which it has left linked when it cancelled them.</summary>
internal struct OwnDelays()
{
    private const int Capacity = 64;

    // Guards
    //   _spare, _left and their counts   the owner alone
    //   _started, _cancelled             the owner writes them, others may read them
    private readonly Place[] _spare = new Place[Capacity];
    private readonly Place[] _left = new Place[Capacity];
    private int _spareCount;
    private int _leftCount;
    private long _started;
    private long _cancelled;

    /// <summary>How many have begun without the lock, ever. May be read by any thread.</summary>
    internal readonly long Started => Volatile.Read(in _started);

    /// <summary>How many have been cancelled without the lock, ever. May be read by any thread.</summary>
    internal readonly long Cancelled => Volatile.Read(in _cancelled);

    internal long CountStarted()
    {
        var started = _started + 1;
        Volatile.Write(ref _started, started);
        return started;
    }

    internal void CountCancelled() => Volatile.Write(ref _cancelled, _cancelled + 1);

    /// <summary>Keeps an entry for another life; it may be linked. False if there is no room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryKeep(DelayEntry entry)
    {
        var count = _spareCount;
        var places = _spare;
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

        _spareCount = count + 1;
        return true;
    }

    // What is taken stays in its place until another one comes: entries are the collection's for life.
    internal DelayEntry? TryTake() => _spareCount == 0 ? null : _spare[--_spareCount].Entry;

    /// <summary>Remembers an ended entry that is linked, so that those are bounded. False if there is no room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryLeave(DelayEntry entry)
    {
        var count = _leftCount;
        var places = _left;
        if ((uint)(count - 1) < (uint)places.Length && ReferenceEquals(places[count - 1].Entry, entry))
        {
            return true;
        }

        if ((uint)count >= (uint)places.Length)
        {
            return false;
        }

        places[count].Entry = entry;
        _leftCount = count + 1;
        return true;
    }

    /// <summary>Takes out one of those left linked. It may have been unlinked since, or live again.</summary>
    internal DelayEntry? TryTakeLeft()
    {
        if (_leftCount == 0)
        {
            return null;
        }

        ref var place = ref _left[--_leftCount].Entry;
        var entry = place;
        place = null;
        return entry;
    }

    private struct Place
    {
        internal DelayEntry? Entry;
    }
}

using System.Diagnostics.CodeAnalysis;

namespace ScalableTimers.Collections;

/// <summary>A time that a thread which schedules without a pause takes for the present, so that it need not read the clock each time.</summary>
/// <remarks>
/// <para>
/// It is a little ahead of the clock when it is opened, and what counts from it is not early as long as the clock has not passed it. Nobody who
/// uses it can tell, since telling means reading the clock. So it is closed again within a tick, by the driver or by the owner, who reads the
/// clock after that: if it shows no later time, everything that has counted from the recent time was right; if it does, a
/// pause has come between, and what has counted from it is noted here and is postponed by the difference.
/// </para>
/// <para>The proof of "never early" needs no bound on pauses, only that whoever closes it reads the clock afterwards, and before anything noted here can expire.</para>
/// </remarks>
internal struct RecentTime
{
    /// <summary>What is noted at most. Beyond that the clock is read.</summary>
    internal const int Capacity = 64;

    // Guards
    //   _time             the collection's lock (written); the owner reads it without
    //   _places, _count   the owner writes them, at any time; whoever has closed _time reads and clears them, under the collection's lock
    //   _holdsTimers      the collection's lock
    private long _time;
    private bool _holdsTimers;
    private Place[]? _places;
    private int _count;

    /// <summary>Whether there is one. By the owner, or under the lock.</summary>
    internal readonly bool IsOpen => Volatile.Read(in _time) != 0;

    internal readonly int Count => Volatile.Read(in _count);

    /// <summary>By the owner, under the lock: opens it, with nothing noted.</summary>
    /// <param name="time">In clock units, a little ahead of the clock.</param>
    [MemberNotNull(nameof(_places))]
    internal void Open(long time)
    {
        _places ??= new Place[Capacity];
        _count = 0;
        Volatile.Write(ref _time, time);
    }

    /// <summary>Under the lock: nobody uses it any more when this returns. Then the clock is to be read.</summary>
    /// <returns>The recent time that was.</returns>
    internal long Close() => Interlocked.Exchange(ref _time, 0);

    /// <summary>By the owner: the time, if there is one and there is room to note what uses it.</summary>
    internal readonly bool TryGet(out long time)
    {
        time = Volatile.Read(in _time);
        return time != 0 && _count < Capacity;
    }

    /// <summary>By the owner, under the lock, after <see cref="TryGet"/>: notes a timer that its holder may drop.</summary>
    internal void NoteTimer(CollectionEntry timer, long deadlineTick)
    {
        _holdsTimers = true;
        Note(timer, deadlineTick);
    }

    /// <summary>By the owner, under the lock, after <see cref="TryGet"/>: notes what has counted from it, an entry that is the collection's for life.</summary>
    internal void Note(CollectionEntry entry, long deadlineTick)
    {
        // An entry that is cancelled and used again at once keeps its place, and storing a reference costs more than to compare it.
        ref var last = ref _places![Math.Max(0, _count - 1)];
        if (_count == 0 || !ReferenceEquals(last.Entry, entry))
        {
            last = ref _places[_count++];
            if (!ReferenceEquals(last.Entry, entry))
            {
                last.Entry = entry;
            }
        }

        last.DeadlineTick = deadlineTick;
    }

    /// <summary>By the owner, without the lock, after <see cref="TryGet"/>: notes what will count from it.</summary>
    /// <returns>False if it has been closed, and perhaps without what was noted.</returns>
    internal bool TryNote(CollectionEntry entry, long deadlineTick)
    {
        Note(entry, deadlineTick);

        // Note first, then look; whoever closes it does the reverse. A full fence on both sides: one sees the other.
        Interlocked.MemoryBarrier();
        return IsOpen;
    }

    /// <summary>Under the lock, when it has been closed.</summary>
    internal readonly Place Noted(int index) => _places![index];

    /// <summary>Under the lock, when what was noted has been seen to: lets go of timers, so that they can be collected.</summary>
    internal void LetGo()
    {
        if (_holdsTimers)
        {
            _holdsTimers = false;
            Array.Clear(_places!);
        }
    }

    /// <summary>An entry, and the deadline that it had or was about to have.</summary>
    internal struct Place
    {
        internal CollectionEntry? Entry;
        internal long DeadlineTick;
    }
}

using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Wheel;

/// <summary>A hierarchical timer wheel: entries by deadline, to be taken out in deadline order.</summary>
/// <remarks>
/// <para>
/// Timers are added and removed by the ten thousand a second and few of them live to their deadline, so adding and
/// removing must take constant time and only expiring may cost more. The structure is the hierarchical timing wheel of
/// Varghese and Lauck ("Hashed and Hierarchical Timing Wheels", SOSP 1987), addressed by digits: a tick is a number of
/// nine digits in base 64, a level is a digit position, and an entry lies at the highest digit in which its deadline
/// differs from the current tick, in the slot that this digit of its deadline names. When the current tick takes on
/// that digit, the slot is drained: at level 0 its entries expire, above it they cascade to lower levels. Nine levels
/// hold 2^54 ticks, which at the finest resolution is more than any <see cref="TimeSpan"/>, so nothing lies beyond the
/// top.
/// </para>
/// <para>
/// Cheap: schedule and remove (a few stores), the earliest tick (two bit scans), skipping any stretch in which nothing
/// is due. Expensive: an entry is moved once for each level it descends, eight times at most. Work is done in
/// steps under a budget, so that a caller who holds a lock can let go of it between them.
/// </para>
/// <para>
/// A slot is a few lists, each from its newest entry to its oldest; the newest knows the oldest. Adding touches one
/// other entry. Following one list of a million entries means to wait for memory at each, as only an entry knows the
/// address of the next. So entries are taken from the lists in turn, and while those of the others are worked on, the
/// next of each is fetched. They are added in long runs to one list, and where neighbours in a list are neighbours in
/// memory, taken in sequence, because processor and garbage collector are fast at what lies in sequence. It takes a
/// third off what firing millions costs; docs/design.md has figures.
/// </para>
/// <para>
/// An ordered wheel uses one list alone, and so keeps entries of one deadline in the order in which they were
/// scheduled: equal deadlines share every slot on their way down. (What is scheduled amid a cascade that a budget has
/// interrupted may overtake what has yet to descend.)
/// </para>
/// <para>The wheel knows no clock, no thread and no lock. The caller guards it and says what tick it is.</para>
/// </remarks>
internal sealed class TimerWheel
{
    /// <summary>
    /// The deadline of an entry that is never due. It is linked, so that it can be found, and never expires.
    /// </summary>
    internal const long Never = (1L << 51) - 1;

    /// <summary>The latest deadline that can come.</summary>
    internal const long MaxTick = Never - 1;

    internal const int SlotsPerLevel = 64;
    internal const int Levels = 9;
    internal const int ListsPerSlot = 1 << ListBits;
    internal const int ListCount = (NeverSlot + 1) * ListsPerSlot;

    private const int ListBits = 2;

    // Some 4,000 entries in succession are linked into lists of the same turn. Far less scatters what lies in sequence.
    private const int DefaultRunBits = 12;
    private const int DigitBits = 6;
    private const int NeverSlot = Levels * SlotsPerLevel;
    private const int NoSlot = -1;

    private readonly List[] _lists = new List[ListCount];

    // Which of a slot's lists has its turn, to be linked into and to be taken from; _turnBits is 0 in an ordered wheel.
    private readonly int _turnBits;
    private readonly int _runBits;
    private int _linkTurn;
    private int _takeTurn;

    // A bit for each slot that holds entries, a word for each level; the slot being drained may have its bit clear.
    private OccupiedSlots _occupied;
    private int _occupiedLevels;
    private int _cascadingSlot = NoSlot;

    /// <param name="startTick">The tick that it is.</param>
    /// <param name="isOrdered">
    /// Whether entries of one deadline expire in the order in which they were scheduled.
    /// </param>
    /// <param name="runBits">
    /// The binary logarithm of how many entries in succession are linked into lists of the same turn.
    /// </param>
    public TimerWheel(long startTick = 0, bool isOrdered = false, int runBits = DefaultRunBits)
    {
        _runBits = runBits;
        CurrentTick = startTick;
        _turnBits = isOrdered ? 0 : ListsPerSlot - 1;
    }

    /// <summary>The last tick whose slot has been reached. Everything due before it has been taken out.</summary>
    internal long CurrentTick { get; private set; }

    internal int Count { get; private set; }

    internal bool IsEmpty => Count == 0;

    /// <summary>No entry is due before this tick. Exact within 64 ticks, beyond that a slot's beginning.</summary>
    internal long EarliestTick
    {
        get
        {
            if (_cascadingSlot != NoSlot || !IsEmptySlot(DueSlot))
            {
                return CurrentTick;
            }

            return _occupiedLevels == 0 ? Never : NextSlotTick(out _);
        }
    }

    /// <summary>
    /// Whether every slot that holds entries is ahead of the current tick. For asserts; looks at bits, not at entries.
    /// </summary>
    internal bool HoldsNothingOverdue => _occupiedLevels == 0 || NextSlotTick(out _) > CurrentTick;

    /// <summary>
    /// Some entry is due at or before this tick. The end of the slot that <see cref="EarliestTick"/> is the beginning
    /// of. For asserts.
    /// </summary>
    internal long EarliestTickAtMost
    {
        get
        {
            var earliest = EarliestTick;
            if (earliest == CurrentTick || _occupiedLevels == 0)
            {
                return Never;
            }

            return earliest | ((1L << (BitOperations.TrailingZeroCount(_occupiedLevels) * DigitBits)) - 1);
        }
    }

    // Every other entry of level 0 is ahead of the current tick, so the slot that the current tick names is free for
    // what is due now.
    private int DueSlot => (int)CurrentTick & (SlotsPerLevel - 1);

    /// <summary>
    /// Links an entry. A deadline at or before the current tick is due at the next
    /// <see cref="Advance(long, ref int)"/>.
    /// </summary>
    internal void Schedule(TimerEntry entry, long deadlineTick)
    {
        Debug.Assert(!entry.IsLinked, "I3: an entry is linked into at most one slot.");
        Count++;
        Place(entry, deadlineTick);
    }

    /// <summary>Unlinks an entry of this wheel.</summary>
    internal void Remove(TimerEntry entry)
    {
        Debug.Assert(entry.IsLinked, "An entry that is not linked was removed.");
        Count--;
        Unlink(entry);
    }

    /// <summary>
    /// Links an entry, or gives one that is linked another deadline. Among entries of that deadline a moved one has no
    /// certain place.
    /// </summary>
    internal void ScheduleOrMove(TimerEntry entry, long deadlineTick)
    {
        var slot = SlotOf(deadlineTick);
        if (slot == entry.List >> ListBits)
        {
            // The commonest case by far: a timeout in place of another one that was as long and has just been
            // cancelled.
            entry.SetPlace(deadlineTick, entry.List);
            return;
        }

        if (entry.IsLinked)
        {
            Unlink(entry);
        }
        else
        {
            Count++;
        }

        Link(entry, deadlineTick, slot);
    }

    /// <summary>
    /// Moves the current tick towards <paramref name="toTick"/>, to the next entry that expires on the way.
    /// </summary>
    /// <param name="toTick">The tick that it is now. Nothing later expires.</param>
    /// <param name="budget">
    /// How many entries may be looked at; lowered for each. A result of null with nothing left of it means that there
    /// is more to do.
    /// </param>
    /// <returns>
    /// The next entry to expire, unlinked, or null when there is none up to <paramref name="toTick"/> or the budget is
    /// spent.
    /// </returns>
    internal TimerEntry? Advance(long toTick, ref int budget)
    {
        while (budget > 0)
        {
            if (_cascadingSlot != NoSlot)
            {
                if (TakeOldest(_cascadingSlot) is { } oldest)
                {
                    Place(oldest, oldest.DeadlineTick);
                    budget--;
                }
                else
                {
                    _cascadingSlot = NoSlot;
                }
            }
            else if (CurrentTick <= toTick && TakeOldest(DueSlot) is { } due)
            {
                Count--;
                budget--;
                return due;
            }
            else if (!TryEnterNextSlot(toTick))
            {
                return null;
            }
        }

        return null;
    }

    /// <summary>Goes on with a walk over all entries. Between two steps the wheel may change.</summary>
    /// <returns>
    /// The next entry, which stays linked, or null when there is none left. Each entry that is linked when the walk
    /// begins is returned, unless it is removed or moved by <see cref="ScheduleOrMove"/> first; one that cascades may
    /// be returned twice.
    /// </returns>
    internal TimerEntry? Next(WheelSweep sweep)
    {
        var marker = sweep.Marker;
        while (true)
        {
            if (marker.IsLinked && !IsOldest(marker))
            {
                var next = marker.Older!;
                Unlink(marker);
                LinkAsOlder(marker, next);
                return next;
            }

            if (marker.IsLinked)
            {
                Remove(marker);
            }

            do
            {
                if (sweep.List == 0)
                {
                    sweep.IsOver = true;
                    return null;
                }

                sweep.List--;
            }
            while (_lists[sweep.List].Newest is null);

            Count++;
            LinkAsNewest(marker, sweep.List, _lists[sweep.List].Newest!.DeadlineTick);
        }
    }

    private bool TryEnterNextSlot(long toTick)
    {
        if (_occupiedLevels != 0)
        {
            var tick = NextSlotTick(out var slot);
            if (tick <= toTick)
            {
                CurrentTick = tick;
                MarkEmpty(slot);
                _cascadingSlot = slot < SlotsPerLevel ? NoSlot : slot;
                return true;
            }
        }

        // No occupied slot begins on the way, so every entry keeps its highest differing digit and with it its place.
        CurrentTick = Math.Max(CurrentTick, toTick);
        return false;
    }

    // All entries of a level are ahead of the current tick within one slot of the level above, so the lowest level
    // comes first.
    private long NextSlotTick(out int slot)
    {
        var level = BitOperations.TrailingZeroCount(_occupiedLevels);
        var digit = BitOperations.TrailingZeroCount(_occupied[level]);
        slot = (level * SlotsPerLevel) + digit;
        var shift = level * DigitBits;
        return ((CurrentTick >> (shift + DigitBits)) << (shift + DigitBits)) | ((long)digit << shift);
    }

    private void Place(TimerEntry entry, long deadlineTick) => Link(entry, deadlineTick, SlotOf(deadlineTick));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int SlotOf(long deadlineTick)
    {
        if (deadlineTick <= CurrentTick)
        {
            return DueSlot;
        }

        if (deadlineTick == Never)
        {
            return NeverSlot;
        }

        var level = LevelOf(deadlineTick ^ CurrentTick);
        var digit = (int)(deadlineTick >> (level * DigitBits)) & (SlotsPerLevel - 1);
        return (level * SlotsPerLevel) + digit;
    }

    private void Link(TimerEntry entry, long deadlineTick, int slot)
    {
        if (LinkAsNewest(entry, (slot << ListBits) | ((_linkTurn++ >> _runBits) & _turnBits), deadlineTick))
        {
            MarkOccupied(slot, deadlineTick);
        }
    }

    /// <returns>Whether the list was empty.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool LinkAsNewest(TimerEntry entry, int list, long deadlineTick)
    {
        Debug.Assert(entry.Older is null, "An entry keeps what it was linked behind before.");
        ref var newestOfList = ref _lists[list].Newest;
        var newest = newestOfList;
        newestOfList = entry;
        entry.SetPlace(deadlineTick, list);
        if (newest is null)
        {
            entry.Newer = entry;
            return true;
        }

        entry.Older = newest;
        entry.Newer = newest.Newer;
        newest.Newer = entry;
        return false;
    }

    /// <summary>Links an entry between another one and the one that is older than that.</summary>
    private void LinkAsOlder(TimerEntry entry, TimerEntry newer)
    {
        if (IsOldest(newer))
        {
            _lists[newer.List].Newest!.Newer = entry;
        }
        else
        {
            entry.Older = newer.Older;
            newer.Older!.Newer = entry;
        }

        entry.Newer = newer;
        newer.Older = entry;
        entry.SetPlace(newer.DeadlineTick, newer.List);
    }

    private bool IsOldest(TimerEntry entry) => ReferenceEquals(_lists[entry.List].Newest!.Newer, entry);

    /// <summary>Unlinks the oldest entry of the list whose turn it is in a slot that is being drained.</summary>
    /// <remarks>
    /// The one after it is fetched, but not written to, which would mean to wait for it. Its link to what was older
    /// stays until it is taken too, so that no such link leaves the slot. The slot's bit is clear already.
    /// </remarks>
    private TimerEntry? TakeOldest(int slot)
    {
        for (var i = 0; i < ListsPerSlot; i++, _takeTurn++)
        {
            ref var newest = ref _lists[(slot << ListBits) | (_takeTurn & _turnBits)].Newest;
            var last = newest;
            if (last is null)
            {
                continue;
            }

            var oldest = last.Newer!;
            if (ReferenceEquals(oldest, last))
            {
                newest = null;
            }
            else
            {
                var next = oldest.Newer!;
                last.Newer = next;
                ProcessorCache.Fetch(next);
                if (!ProcessorCache.AreNear(oldest, next))
                {
                    _takeTurn++;
                }
            }

            oldest.ClearPlace();
            return oldest;
        }

        return null;
    }

    // The slot of what is due now and the one of what is never due are found without their bits.
    private void MarkOccupied(int slot, long deadlineTick)
    {
        if (deadlineTick > CurrentTick && slot != NeverSlot)
        {
            var level = slot >> DigitBits;
            _occupied[level] |= 1UL << slot;
            _occupiedLevels |= 1 << level;
        }
    }

    private void Unlink(TimerEntry entry)
    {
        var list = entry.List;
        ref var newestOfList = ref _lists[list].Newest;
        var newest = newestOfList!;
        var oldest = newest.Newer!;
        if (ReferenceEquals(newest, oldest))
        {
            newestOfList = null;
            if (IsEmptySlot(list >> ListBits))
            {
                MarkEmpty(list >> ListBits);
            }
        }
        else if (ReferenceEquals(entry, oldest))
        {
            // A link left to it would keep a timer that was stopped and dropped for as long as its neighbour is
            // pending.
            var next = entry.Newer!;
            newest.Newer = next;
            next.Older = null;
        }
        else if (ReferenceEquals(entry, newest))
        {
            newestOfList = entry.Older;
            entry.Older!.Newer = oldest;
        }
        else
        {
            entry.Newer!.Older = entry.Older;
            entry.Older!.Newer = entry.Newer;
        }

        entry.ClearPlace();
    }

    private bool IsEmptySlot(int slot)
    {
        var lists = _lists.AsSpan(slot << ListBits, ListsPerSlot);
        return lists[0].Newest is null && lists[1].Newest is null && lists[2].Newest is null && lists[3].Newest is null;
    }

    private void MarkEmpty(int slot)
    {
        var level = slot >> DigitBits;
        if ((_occupied[level] &= ~(1UL << slot)) == 0)
        {
            _occupiedLevels &= ~(1 << level);
        }
    }

    // Unsigned, so that dividing by a constant is one multiplication.
    private static int LevelOf(long differingBits) => (int)((uint)BitOperations.Log2((ulong)differingBits) / DigitBits);

    /// <summary>
    /// A list of a slot. Not a bare reference: storing one into an array checks its type each time, storing a field
    /// does not.
    /// </summary>
    private struct List
    {
        internal TimerEntry? Newest;
    }

    /// <summary>
    /// A word for each level and one for what is never due, inside the wheel so that they share its cache lines.
    /// </summary>
    [InlineArray(Levels + 1)]
    private struct OccupiedSlots
    {
        private ulong _level;
    }
}

using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Wheel;

/// <summary>A hierarchical timer wheel: stores entries by deadline, and yields them in deadline order.</summary>
/// <remarks>
/// <para>
/// Tens of thousands of timers are added and removed each second, and few of them live to their deadline. So adding and
/// removing must take constant time, and only expiring may cost more. The structure is the hierarchical timing wheel of
/// Varghese and Lauck ("Hashed and Hierarchical Timing Wheels", SOSP 1987), addressed by digits. A tick is a number of
/// nine digits in base 64, and a level is a digit position. An entry lies at the level of the highest digit in which
/// its deadline differs from the current tick, in the slot numbered by that digit of its deadline. When the current
/// tick reaches that digit, the slot is drained: at level 0 its entries expire, at higher levels they cascade to lower
/// ones. Nine levels hold 2^54 ticks. At the finest resolution that is more than any <see cref="TimeSpan"/>, so no
/// deadline lies beyond the top level.
/// </para>
/// <para>
/// Cheap: schedule and remove (a few stores), the earliest tick (two bit scans), and skipping any range in which
/// nothing is due. Expensive: an entry is moved once for each level it descends, eight times at most. Work is done in
/// steps under a budget, so that a caller that holds a lock can release it between steps.
/// </para>
/// <para>
/// A slot is a linked list, ordered from its newest entry to its oldest; the newest entry refers to the oldest. Adding
/// touches one other entry. Entries are taken out oldest first, and equal deadlines share every slot on their way down.
/// So entries with the same deadline expire in the order in which they were scheduled. (An entry scheduled while a
/// cascade is interrupted by its budget may overtake entries that have not descended yet.)
/// </para>
/// <para>
/// The wheel knows no clock, no thread and no lock. The caller guards the wheel and passes the current tick.
/// </para>
/// </remarks>
internal sealed class TimerWheel
{
    /// <summary>
    /// The deadline of an entry that is never due. Such an entry is linked, so that it can be found, but never expires.
    /// </summary>
    internal const long Never = (1L << 51) - 1;

    /// <summary>The latest deadline that can be reached.</summary>
    internal const long MaxTick = Never - 1;

    internal const int SlotsPerLevel = 64;
    internal const int Levels = 9;
    internal const int SlotCount = NeverSlot + 1;

    private const int DigitBits = 6;
    private const int NeverSlot = Levels * SlotsPerLevel;
    private const int NoSlot = -1;

    private readonly Slot[] _slots = new Slot[SlotCount];

    // One word for each level, with a bit for each slot that holds entries. The bit of the slot being drained may be
    // clear.
    private OccupiedSlots _occupied;
    private int _occupiedLevels;
    private int _cascadingSlot = NoSlot;

    /// <param name="startTick">The current tick.</param>
    public TimerWheel(long startTick = 0) => CurrentTick = startTick;

    /// <summary>
    /// The last tick whose slot has been reached. All entries due before this tick have been taken out.
    /// </summary>
    internal long CurrentTick { get; private set; }

    internal int Count { get; private set; }

    /// <summary>
    /// No entry is due before this tick: a deadline or, above level 0, the first tick of a slot, where it cascades.
    /// </summary>
    internal long EarliestTick
    {
        get
        {
            if (_cascadingSlot != NoSlot || _slots[DueSlot].Newest is not null)
            {
                return CurrentTick;
            }

            return NextSlotTick(out _);
        }
    }

    /// <summary>
    /// Whether every slot that holds entries is ahead of the current tick. For asserts; reads the bits, not the
    /// entries.
    /// </summary>
    internal bool HoldsNothingOverdue => NextSlotTick(out _) > CurrentTick;

    /// <summary>
    /// Some entry is due at or before this tick, which is the last tick of the slot that begins at
    /// <see cref="EarliestTick"/>; <see cref="Never"/> if entries are due already.
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

    // All other entries of level 0 are ahead of the current tick. So the slot of the current tick is free for entries
    // that are due now.
    private int DueSlot => (int)CurrentTick & (SlotsPerLevel - 1);

    /// <summary>
    /// Links an entry, or gives an already linked entry a new deadline. If that is at or before the current tick, the
    /// entry is due at the next <see cref="Advance(long, ref int)"/>. The order of a moved entry among entries with the
    /// same deadline is undefined.
    /// </summary>
    internal void Schedule(TimerEntry entry, long deadlineTick)
    {
        var slot = SlotOf(deadlineTick);
        if (slot == entry.Slot)
        {
            // By far the most common case: a timeout replaces another of the same length that has just been cancelled.
            entry.SetPlace(deadlineTick, slot);
            return;
        }

        if (entry.IsLinked)
        {
            Remove(entry);
        }

        Debug.Assert(entry.Older is null, "The entry to be linked still refers to its older neighbour.");
        Count++;
        ref var newestOfSlot = ref _slots[slot].Newest;
        var newest = newestOfSlot;
        newestOfSlot = entry;
        entry.SetPlace(deadlineTick, slot);
        if (newest is not null)
        {
            entry.Older = newest;
            entry.Newer = newest.Newer;
            newest.Newer = entry;
            return;
        }

        // The slot of entries due now and the slot of entries never due are found without bits.
        entry.Newer = entry;
        if (deadlineTick > CurrentTick && slot != NeverSlot)
        {
            var level = slot >> DigitBits;
            _occupied[level] |= 1UL << slot;
            _occupiedLevels |= 1 << level;
        }
    }

    /// <summary>Unlinks an entry of this wheel.</summary>
    internal void Remove(TimerEntry entry)
    {
        Debug.Assert(entry.IsLinked, "An entry that is not linked was removed.");
        Count--;
        var slot = entry.Slot;
        ref var newestOfSlot = ref _slots[slot].Newest;
        var newest = newestOfSlot!;
        var oldest = newest.Newer!;
        if (ReferenceEquals(newest, oldest))
        {
            newestOfSlot = null;
            MarkEmpty(slot);
        }
        else if (ReferenceEquals(entry, oldest))
        {
            // A remaining link to this entry would keep a stopped and dropped timer in memory for as long as its
            // neighbour is pending.
            var next = entry.Newer!;
            newest.Newer = next;
            next.Older = null;
        }
        else if (ReferenceEquals(entry, newest))
        {
            newestOfSlot = entry.Older;
            entry.Older!.Newer = oldest;
        }
        else
        {
            entry.Newer!.Older = entry.Older;
            entry.Older!.Newer = entry.Newer;
        }

        entry.ClearPlace();
    }

    /// <summary>
    /// Moves the current tick towards <paramref name="toTick"/>, to the next entry that expires on the way.
    /// </summary>
    /// <param name="toTick">
    /// The current time as a tick, before <see cref="Never"/>. No entry with a later deadline expires.
    /// </param>
    /// <param name="budget">
    /// How many entries may be processed; lowered by one for each. If the result is null and no budget is left, there
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
                    Schedule(oldest, oldest.DeadlineTick);
                    budget--;
                }
                else
                {
                    _cascadingSlot = NoSlot;
                }

                continue;
            }

            if (CurrentTick <= toTick && TakeOldest(DueSlot) is { } due)
            {
                budget--;
                return due;
            }

            var tick = NextSlotTick(out var slot);
            if (tick > toTick)
            {
                // No occupied slot begins on the way. So every entry keeps its highest differing digit, and therefore
                // its place.
                CurrentTick = Math.Max(CurrentTick, toTick);
                return null;
            }

            CurrentTick = tick;
            MarkEmpty(slot);
            _cascadingSlot = slot < SlotsPerLevel ? NoSlot : slot;
        }

        return null;
    }

    /// <summary>Continues a walk over all entries. Between two steps the wheel may change.</summary>
    /// <returns>
    /// The next entry, which stays linked, or null when none is left. The walk returns each entry that is linked when
    /// it begins, unless the entry is first removed, or moved by <see cref="Schedule"/>. An entry that cascades
    /// may be returned twice.
    /// </returns>
    internal TimerEntry? Next(WheelWalk walk)
    {
        var marker = walk.Marker;
        if (marker.IsLinked && !IsOldest(marker))
        {
            var next = marker.Older!;
            Remove(marker);
            LinkAsOlder(marker, next);
            return next;
        }

        EndWalk(walk);
        while (walk.Slot > 0)
        {
            walk.Slot--;
            if (_slots[walk.Slot].Newest is { } newest)
            {
                LinkAsOlder(marker, newest);
                return newest;
            }
        }

        walk.IsOver = true;
        return null;
    }

    /// <summary>Takes the marker of a walk out, wherever it is.</summary>
    internal void EndWalk(WheelWalk walk)
    {
        if (walk.Marker.IsLinked)
        {
            Remove(walk.Marker);
        }
    }

    // All entries of a level lie ahead of the current tick, within one slot of the level above. So the lowest occupied
    // level comes first.
    private long NextSlotTick(out int slot)
    {
        if (_occupiedLevels == 0)
        {
            slot = NoSlot;
            return Never;
        }

        var level = BitOperations.TrailingZeroCount(_occupiedLevels);
        var digit = BitOperations.TrailingZeroCount(_occupied[level]);
        slot = (level * SlotsPerLevel) + digit;
        var shift = level * DigitBits;
        return ((CurrentTick >> (shift + DigitBits)) << (shift + DigitBits)) | ((long)digit << shift);
    }

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

        // Unsigned, so that the division by a constant compiles to one multiplication.
        var level = (int)((uint)BitOperations.Log2((ulong)(deadlineTick ^ CurrentTick)) / DigitBits);
        var digit = (int)(deadlineTick >> (level * DigitBits)) & (SlotsPerLevel - 1);
        return (level * SlotsPerLevel) + digit;
    }

    /// <summary>Links an entry between <paramref name="newer"/> and the next older entry.</summary>
    private void LinkAsOlder(TimerEntry entry, TimerEntry newer)
    {
        Count++;
        if (IsOldest(newer))
        {
            _slots[newer.Slot].Newest!.Newer = entry;
        }
        else
        {
            entry.Older = newer.Older;
            newer.Older!.Newer = entry;
        }

        entry.Newer = newer;
        newer.Older = entry;
        entry.SetPlace(newer.DeadlineTick, newer.Slot);
    }

    private bool IsOldest(TimerEntry entry) => ReferenceEquals(_slots[entry.Slot].Newest!.Newer, entry);

    /// <summary>Unlinks the oldest entry of a slot that is being drained, whose bit is already clear.</summary>
    /// <remarks>
    /// The next entry is fetched but not written to, because a write would wait for the fetch. So the next entry keeps
    /// its link to the entry taken here until it is taken too, and no such link leaves the slot.
    /// </remarks>
    private TimerEntry? TakeOldest(int slot)
    {
        ref var newestOfSlot = ref _slots[slot].Newest;
        var newest = newestOfSlot;
        if (newest is null)
        {
            return null;
        }

        var oldest = newest.Newer!;
        if (ReferenceEquals(oldest, newest))
        {
            newestOfSlot = null;
        }
        else
        {
            var next = oldest.Newer!;
            newest.Newer = next;
            ProcessorCache.Fetch(next);
        }

        Count--;
        oldest.ClearPlace();
        return oldest;
    }

    private void MarkEmpty(int slot)
    {
        var level = slot >> DigitBits;
        if ((_occupied[level] &= ~(1UL << slot)) == 0)
        {
            _occupiedLevels &= ~(1 << level);
        }
    }

    /// <summary>
    /// A struct and not a bare reference: storing a reference into an array checks the type each time, but storing into
    /// a field does not.
    /// </summary>
    private struct Slot
    {
        internal TimerEntry? Newest;
    }

    /// <summary>
    /// One word for each level, and one that stays zero for entries that are never due. They are inside the wheel so
    /// that they share its cache lines.
    /// </summary>
    [InlineArray(Levels + 1)]
    private struct OccupiedSlots
    {
        private ulong _level;
    }
}

using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Wheel;

/// <summary>A hierarchical timer wheel: stores entries by deadline, and yields them in deadline order.</summary>
/// <remarks>
/// <para>
/// Tens of thousands of timers are added and removed each second, and few of them reach their deadline. So adding and
/// removing must take constant time, and only expiring may cost more. The structure is the hierarchical timing wheel of
/// Varghese and Lauck ("Hashed and Hierarchical Timing Wheels", SOSP 1987), addressed by digits. A tick is a number of
/// nine digits in base 64, and a level is a digit position. An entry is linked at the level of the highest digit in
/// which its deadline differs from the current tick, in the slot numbered by that digit of its deadline. When the
/// current tick reaches that digit, the slot is drained: at level 0 its entries expire, at higher levels they cascade
/// to lower ones. An entry that is postponed stays where it is until then. Nine levels hold 2^54 ticks, more than any
/// <see cref="TimeSpan"/> at the finest resolution, so no deadline lies beyond the top level.
/// </para>
/// <para>
/// Cheap: schedule and remove (a few stores), the earliest tick (two bit scans), and skipping any range in which
/// nothing is due. Expensive: an entry is moved once for each level it descends, eight times at most. Work is done in
/// steps under a budget, so that a caller that holds a lock can release it between steps.
/// </para>
/// <para>
/// A slot is a linked list, ordered from its newest entry to its oldest; the newest entry refers to the oldest. Adding
/// touches one other entry. Entries are taken out oldest first.
/// </para>
/// <para>
/// In a list, only an entry tells where the next one is, so taking many out of one list waits for memory each time.
/// Therefore level 0 has four rows of slots. Cascading entries are dealt out to them in turn, and due entries are taken
/// from them in turn, so four entries are fetched at once. An ordered wheel uses one row, where entries with the same
/// deadline share every slot on their way down, and expire in scheduling order. (An entry scheduled while a cascade is
/// interrupted by its budget may overtake entries that have not descended yet.)
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

    internal const int SlotsPerRow = 64;
    internal const int Levels = 9;
    internal const int SlotCount = NeverSlot + 1;

    /// <summary>The row of level 0 for entries that do not cascade. Level 0 also has the rows below it.</summary>
    internal const int RowOfLevel0 = 3;

    internal const int DigitBits = 6;
    private const int SlotsOfLevel0 = (RowOfLevel0 + 1) * SlotsPerRow;
    private const int NeverSlot = (RowOfLevel0 + Levels) * SlotsPerRow;
    internal const int NoSlot = -1;

    private readonly Slot[] _slots = new Slot[SlotCount];
    private readonly bool _isOrdered;

    // The bit of the slot being drained may be clear.
    private OccupiedSlots _occupied;
    private int _cascadingSlot = NoSlot;
    private int _dealt;
    private int _taken;

    /// <param name="startTick">The current tick.</param>
    /// <param name="isOrdered">
    /// Whether entries with the same deadline expire in the order in which they were scheduled.
    /// </param>
    public TimerWheel(long startTick = 0, bool isOrdered = false)
    {
        CurrentTick = startTick;
        _isOrdered = isOrdered;
    }

    /// <summary>
    /// The last tick whose slot has been reached. All entries due before this tick have been taken out.
    /// </summary>
    internal long CurrentTick { get; private set; }

    internal int Count { get; private set; }

    /// <summary>
    /// No entry is due before this tick: a deadline or, above level 0, the first tick of a slot, which then cascades.
    /// </summary>
    internal long EarliestTick
    {
        get
        {
            for (var slot = DueSlot; slot >= 0; slot -= SlotsPerRow)
            {
                if (_slots[slot].Newest is not null)
                {
                    return CurrentTick;
                }
            }

            return _cascadingSlot != NoSlot ? CurrentTick : _occupied.NextTick(CurrentTick, out _);
        }
    }

    /// <summary>Whether every slot that holds entries is ahead of the current tick. For asserts.</summary>
    internal bool HoldsNothingOverdue => _occupied.NextTick(CurrentTick, out _) > CurrentTick;

    /// <summary>
    /// Some entry was due at or before this tick when it was linked: the last tick of the slot that begins at
    /// <see cref="EarliestTick"/>; <see cref="Never"/> if entries are due already. For asserts.
    /// </summary>
    internal long EarliestTickAtMost
    {
        get
        {
            var earliest = EarliestTick;
            return earliest == CurrentTick || earliest == Never
                ? Never
                : earliest | ((1L << (_occupied.LowestLevel * DigitBits)) - 1);
        }
    }

    // All other entries of level 0 are ahead of the current tick. So the slot of the current tick is free for entries
    // that are due now.
    private int DueSlot => (RowOfLevel0 * SlotsPerRow) + ((int)CurrentTick & (SlotsPerRow - 1));

    /// <summary>
    /// Links an entry, or gives an already linked entry a new deadline. If that is at or before the current tick, the
    /// entry is due at the next <see cref="Advance(long, ref int)"/>. The order of a moved entry among entries with the
    /// same deadline is undefined.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Schedule(TimerEntry entry, long deadlineTick)
    {
        if (!TryPostpone(entry, deadlineTick))
        {
            Place(entry, deadlineTick, SlotOf(deadlineTick));
        }
    }

    /// <summary>Gives a linked entry a deadline that is no nearer, without moving it.</summary>
    /// <remarks>
    /// By far the most common case: an idle timeout starts again, or a timeout replaces another of the same length that
    /// has just been cancelled. When the entry's slot is drained, the entry moves to the slot of its deadline.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryPostpone(TimerEntry entry, long deadlineTick)
    {
        if (!entry.IsLinked || deadlineTick < entry.DeadlineTick)
        {
            return false;
        }

        entry.SetPlace(deadlineTick, entry.Slot);
        return true;
    }

    private void Place(TimerEntry entry, long deadlineTick, int slot)
    {
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
            _occupied.Add(slot);
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
            _occupied.Remove(slot);
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
    /// The next entry to expire, unlinked, or null if none expires up to <paramref name="toTick"/> or the budget is
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
                    var deadlineTick = oldest.DueTick;
                    var target = SlotOf(deadlineTick);
                    var turn = target >= SlotsOfLevel0 || _isOrdered ? 0 : _dealt++ & RowOfLevel0;
                    Place(oldest, deadlineTick, target - (turn * SlotsPerRow));
                    budget--;
                }
                else
                {
                    _cascadingSlot = NoSlot;
                }

                continue;
            }

            if (CurrentTick <= toTick && TakeDue() is { } due)
            {
                budget--;
                var deadlineTick = due.DueTick;
                if (deadlineTick <= CurrentTick)
                {
                    return due;
                }

                // It has been postponed since it was linked.
                Place(due, deadlineTick, SlotOf(deadlineTick));
                continue;
            }

            var tick = _occupied.NextTick(CurrentTick, out var slot);
            if (tick > toTick)
            {
                // No occupied slot begins on the way, so every entry keeps its highest differing digit, and therefore
                // its place.
                CurrentTick = Math.Max(CurrentTick, toTick);
                return null;
            }

            CurrentTick = tick;
            _cascadingSlot = slot < SlotsOfLevel0 ? NoSlot : slot;
            do
            {
                _occupied.Remove(slot);
                slot -= SlotsPerRow;
            }
            while (_cascadingSlot == NoSlot && slot >= 0);
        }

        return null;
    }

    /// <summary>
    /// The entry that follows another in an order of no meaning; the first one after null. Once the caller has it, it
    /// may remove the other.
    /// </summary>
    internal TimerEntry? Next(TimerEntry? entry)
    {
        if (entry is not null && !IsOldest(entry))
        {
            return entry.Older;
        }

        for (var slot = entry is null ? 0 : entry.Slot + 1; slot < SlotCount; slot++)
        {
            if (_slots[slot].Newest is { } newest)
            {
                return newest;
            }
        }

        return null;
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
        var digit = (int)(deadlineTick >> (level * DigitBits)) & (SlotsPerRow - 1);
        return (level * SlotsPerRow) + digit + (RowOfLevel0 * SlotsPerRow);
    }

    private bool IsOldest(TimerEntry entry) => ReferenceEquals(_slots[entry.Slot].Newest!.Newer, entry);

    // From the row whose turn it is, or from the next row with something due.
    private TimerEntry? TakeDue() => TakeOldest(DueSlotInTurn())
        ?? TakeOldest(DueSlotInTurn())
        ?? TakeOldest(DueSlotInTurn())
        ?? TakeOldest(DueSlotInTurn());

    private int DueSlotInTurn() => DueSlot - ((_taken++ & RowOfLevel0) * SlotsPerRow);

    /// <summary>Unlinks the oldest entry of a slot that is being drained, whose bit is already clear.</summary>
    /// <remarks>
    /// The next entry is fetched but not written to, because a write would wait for the fetch. So it keeps its link to
    /// the entry taken here until it is taken too, and no such link leaves the slot.
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

    // A struct, not a bare reference: storing a reference into an array checks the type each time, but storing into a
    // field does not.
    private struct Slot
    {
        internal TimerEntry? Newest;
    }
}

using System.Diagnostics;

namespace ScalableTimers.Wheel;

/// <summary>A node of a <see cref="TimerWheel"/>: two links, and the place in the wheel that they belong to.</summary>
/// <remarks>
/// The links are inside the entry, so that linking and unlinking allocate nothing. Deadline and slot share one word,
/// which keeps a scheduled callback at 72 bytes: the deadline needs 51 bits and the slot 12.
/// </remarks>
internal class TimerEntry
{
    private const int SlotBits = 12;
    private const int NoSlot = (1 << SlotBits) - 1;

    private long _place = NoSlot;

    /// <summary>The next older entry of the slot. Meaningless for the oldest entry.</summary>
    internal TimerEntry? Older { get; set; }

    /// <summary>The next newer entry of the slot. For the newest entry, this is the oldest entry.</summary>
    internal TimerEntry? Newer { get; set; }

    internal bool IsLinked => Slot != NoSlot;

    /// <summary>The deadline for which the entry was linked.</summary>
    internal long DeadlineTick => _place >> SlotBits;

    /// <summary>When the entry is due now: later, if it has been postponed without the wheel.</summary>
    internal virtual long DueTick => DeadlineTick;

    /// <summary>The slot of the wheel that the entry is linked into.</summary>
    internal int Slot => (int)_place & NoSlot;

    internal void SetPlace(long deadlineTick, int slot)
    {
        Debug.Assert(deadlineTick is >= 0 and <= TimerWheel.Never, "The deadline does not fit into 51 bits.");
        _place = (deadlineTick << SlotBits) | (uint)slot;
    }

    internal void ClearPlace()
    {
        _place |= NoSlot;
        Older = null;
        Newer = null;
    }
}

using System.Diagnostics;

namespace ScalableTimers.Wheel;

/// <summary>A node of a <see cref="TimerWheel"/>: two links and the place they are for.</summary>
/// <remarks>
/// The links are inside the entry, so that linking and unlinking allocate nothing. Deadline and slot share one word, which
/// keeps a scheduled callback at 72 bytes: the deadline needs 53 bits and the slot 10.
/// </remarks>
internal class TimerEntry
{
    private const int SlotBits = 10;
    private const int Unlinked = (1 << SlotBits) - 1;

    private long _place = Unlinked;

    /// <summary>The next older entry of the slot, or null for the oldest.</summary>
    internal TimerEntry? Older { get; set; }

    /// <summary>The next newer entry of the slot; for the newest, the oldest one.</summary>
    internal TimerEntry? Newer { get; set; }

    internal bool IsLinked => (_place & Unlinked) != Unlinked;

    internal long DeadlineTick => _place >> SlotBits;

    internal int Slot => (int)_place & Unlinked;

    internal void SetPlace(long deadlineTick, int slot)
    {
        Debug.Assert(deadlineTick is >= 0 and <= TimerWheel.Never, "A deadline does not fit its 53 bits.");
        _place = (deadlineTick << SlotBits) | (uint)slot;
    }

    internal void ClearPlace()
    {
        _place |= Unlinked;
        Older = null;
        Newer = null;
    }
}

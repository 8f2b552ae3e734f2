using System.Diagnostics;

namespace ScalableTimers.Wheel;

/// <summary>A node of a <see cref="TimerWheel"/>: two links, and the place in the wheel that they belong to.</summary>
/// <remarks>
/// The links are inside the entry, so that linking and unlinking allocate nothing. Deadline and list share one word,
/// which keeps a scheduled callback at 72 bytes: the deadline needs 51 bits and the list 12.
/// </remarks>
internal class TimerEntry
{
    private const int ListBits = 12;
    private const int Unlinked = (1 << ListBits) - 1;

    private long _place = Unlinked;

    /// <summary>The next older entry of the list. Has no meaning for the oldest entry.</summary>
    internal TimerEntry? Older { get; set; }

    /// <summary>The next newer entry of the list. For the newest entry, this is the oldest entry.</summary>
    internal TimerEntry? Newer { get; set; }

    internal bool IsLinked => (_place & Unlinked) != Unlinked;

    internal long DeadlineTick => _place >> ListBits;

    /// <summary>The list of the wheel that the entry is linked into.</summary>
    internal int List => (int)_place & Unlinked;

    internal void SetPlace(long deadlineTick, int list)
    {
        Debug.Assert(deadlineTick is >= 0 and <= TimerWheel.Never, "The deadline does not fit into 51 bits.");
        _place = (deadlineTick << ListBits) | (uint)list;
    }

    internal void ClearPlace()
    {
        _place |= Unlinked;
        Older = null;
        Newer = null;
    }
}

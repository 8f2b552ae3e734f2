namespace ScalableTimers.Wheel;

/// <summary>The position of a walk over all entries of a <see cref="TimerWheel"/>.</summary>
/// <remarks>
/// <para>
/// The caller releases the wheel's lock between steps, and the wheel may change in between. So the position is itself
/// an entry: a marker linked among the others. Linking, removing and cascading other entries does not disturb it.
/// </para>
/// <para>
/// The walk goes from the highest slot to the lowest, and in each slot from the newest entry to the oldest. Draining
/// goes the other way: it takes the oldest entry first, and cascading only moves entries to lower slots, which the walk
/// has not reached yet. So no entry that was linked when the walk began can get past the walk, unless a caller moves
/// the entry. If draining takes the marker out, the two have met, and nothing in that slot is left to visit. If the
/// marker cascades, the walk continues from its new place, and reaches the rest of that slot later.
/// </para>
/// </remarks>
/// <param name="marker">
/// An unlinked entry that only this walk uses. The code that drains the wheel must recognise and ignore it.
/// </param>
internal sealed class WheelWalk(TimerEntry marker)
{
    internal TimerEntry Marker { get; } = marker;

    /// <summary>The slot that the walk is in. Before the first step, this is one past the last slot.</summary>
    internal int Slot { get; set; } = TimerWheel.SlotCount;

    /// <summary>Whether no entry is left.</summary>
    internal bool IsOver { get; set; }
}

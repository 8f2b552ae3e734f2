namespace ScalableTimers.Wheel;

/// <summary>How far a walk over all entries of a <see cref="TimerWheel"/> has come.</summary>
/// <remarks>
/// <para>
/// A walk over millions of entries takes long, so whoever guards the wheel lets go of it between steps, and the wheel
/// changes meanwhile. The position therefore is an entry itself: a marker linked among the others. Linking, removing
/// and cascading other entries does not disturb it.
/// </para>
/// <para>
/// The walk goes from the highest list to the lowest, and in each list from the newest entry to the oldest. Draining
/// goes the other way: it takes the oldest entry first, and cascading only moves entries to lower lists, where the walk
/// has yet to come. So no entry that was linked when the walk began can get past it, unless somebody moves it. If
/// draining takes the marker out, it has met the walk, and nothing is left of that list. If the marker cascades, the
/// walk goes on where it is then, and comes to the rest of that list later.
/// </para>
/// </remarks>
/// <param name="marker">
/// An entry that is not linked, for this walk alone. Whoever drains the wheel must know it and do nothing with it.
/// </param>
internal sealed class WheelSweep(TimerEntry marker)
{
    internal TimerEntry Marker { get; } = marker;

    /// <summary>The list that the walk is in; before the first step, one past the last.</summary>
    internal int List { get; set; } = TimerWheel.ListCount;

    /// <summary>Whether nothing is left.</summary>
    internal bool IsOver { get; set; }
}

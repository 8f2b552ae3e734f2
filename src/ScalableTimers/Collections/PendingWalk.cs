using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <summary>Walks one collection in bounded steps and reads what is pending.</summary>
/// <remarks>
/// Between the steps the collection changes. A timer that is pending all the time, at one deadline, is read unless the
/// walk ends before. A timer that is moved may be read twice or not at all.
/// </remarks>
internal sealed class PendingWalk(TimerCollection collection)
{
    private readonly WheelSweep _sweep = new(new SweepMarker(collection));

    internal bool IsOver => _sweep.IsOver;

    /// <summary>The thread that schedules into the collection; null if all threads do.</summary>
    internal Thread? Owner => collection.IsShared ? null : collection.Owner;

    /// <summary>One step.</summary>
    /// <returns>How many entries have been read.</returns>
    internal int Next(Span<PendingEntry> found) => IsOver ? 0 : collection.ReadSome(_sweep, found);

    /// <summary>Ends the walk, wherever it is.</summary>
    internal void End() => collection.Leave(_sweep);
}

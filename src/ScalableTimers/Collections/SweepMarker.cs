using ScalableTimers.Firing;

namespace ScalableTimers.Collections;

/// <summary>
/// The marker of a <see cref="Wheel.WheelSweep"/> over a collection's wheel. It is linked among the entries, and all
/// other code passes over it.
/// </summary>
internal sealed class SweepMarker(TimerCollection collection) : CollectionEntry(collection)
{
    internal override bool TryExpireLocked(long nowTick, out FiringItem item)
    {
        item = default;
        return false;
    }

    internal override bool TryReadLocked(out PendingEntry pending)
    {
        pending = default;
        return false;
    }

    internal override ServiceEnd EndWithServiceLocked(ServicePhase phase) => ServiceEnd.None;
}

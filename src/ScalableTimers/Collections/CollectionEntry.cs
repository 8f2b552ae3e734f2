using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <summary>An entry that belongs to one collection for life, and what becomes of it at its deadline.</summary>
internal abstract class CollectionEntry(TimerCollection collection) : TimerEntry
{
    internal TimerCollection Collection { get; } = collection;

    /// <summary>
    /// Called under the collection's lock when the entry has expired and been unlinked: says what is to run, and may
    /// link it again.
    /// </summary>
    /// <param name="nowTick">The tick that it is.</param>
    /// <param name="item">What is to run.</param>
    /// <returns>False if nothing is to run: it has been cancelled, or this firing is left out.</returns>
    internal abstract bool TryExpireLocked(long nowTick, out FiringItem item);

    /// <summary>
    /// Called under the collection's lock for a linked entry when its service enters a later phase: ends it, if it ends
    /// with that phase.
    /// </summary>
    /// <returns>
    /// What becomes of it. Unless that is <see cref="ServiceEnd.None"/> the caller unlinks it and calls
    /// <see cref="FinishEnd"/>.
    /// </returns>
    internal abstract ServiceEnd EndWithServiceLocked(ServicePhase phase);

    /// <summary>Called with no lock held after <see cref="EndWithServiceLocked"/> has ended it.</summary>
    internal virtual void FinishEnd()
    {
    }
}

using System.Diagnostics;
using ScalableTimers.Driving;
using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <summary>An entry that belongs to one collection for life, and what becomes of it at its deadline.</summary>
internal abstract class CollectionEntry(TimerCollection collection) : TimerEntry
{
    internal TimerCollection Collection { get; } = collection;

    /// <summary>Called under the collection's lock when the entry has expired and been unlinked: says what is to run, and may link it again.</summary>
    /// <returns>False if nothing is to run: it has been cancelled, or this firing is left out.</returns>
    internal abstract bool TryExpireLocked(out FiringItem item);

    /// <summary>Called under the collection's lock when the service ends: lets go of what is to run. Only for entries that end with their service.</summary>
    /// <returns>False if it has ended already.</returns>
    internal virtual bool TryEndLocked() => throw new UnreachableException("An entry that outlives its service is handed over.");

    /// <summary>Called under the collection's lock when a deadline has turned out to be too early: puts it off, if the entry still has it.</summary>
    /// <param name="deadlineTick">The deadline.</param>
    /// <param name="late">By how much, in clock units.</param>
    internal abstract void PostponeLocked(long deadlineTick, long late);

    /// <summary>Runs user code, with no lock held. Only for entries that name themselves as what is to run.</summary>
    internal abstract void Fire();
}

using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Queues;

/// <summary>An entry that always belongs to the same queue, and what it does at its deadline.</summary>
internal abstract class QueueEntry(TimerQueue queue) : TimerEntry
{
    internal TimerQueue Queue { get; } = queue;

    /// <summary>
    /// Called under the queue's lock when the entry has expired and been unlinked. Returns what to run, and may link
    /// the entry again.
    /// </summary>
    /// <returns>False if there is nothing to run: the entry is cancelled, or this firing is left out.</returns>
    internal abstract bool TryExpireLocked(long nowTick, out FiringItem item);

    /// <summary>
    /// Ends a linked entry if it ends with the phase that its service has entered. Called under the queue's lock.
    /// </summary>
    internal abstract ServiceEnd EndWithServiceLocked(ServicePhase phase);

    /// <summary>Reads what the entry waits for. Called under the queue's lock for a linked entry.</summary>
    /// <returns>False if the entry is not pending.</returns>
    internal abstract bool TryReadLocked(out PendingEntry pending);

    /// <summary>
    /// Called with no lock held after the service has ended the entry as <see cref="ServiceEnd.Cancelled"/>.
    /// </summary>
    internal virtual void FinishEnd()
    {
    }
}

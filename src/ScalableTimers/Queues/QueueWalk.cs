using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Queues;

/// <summary>
/// A walk over all entries of one queue, in bounded steps. Between the steps the queue's lock is free.
/// </summary>
internal abstract class QueueWalk(TimerQueue queue)
{
    internal TimerQueue Queue { get; } = queue;

    /// <summary>Whether no entry is left.</summary>
    internal bool IsOver => Position.IsOver;

    internal WheelWalk Position { get; } = new(new Marker(queue));

    /// <summary>Whether the walk has seen enough and ends here. Called under the queue's lock.</summary>
    internal virtual bool HasEnough => false;

    /// <summary>Visits an entry, which it may unlink. Called under the queue's lock.</summary>
    internal abstract void VisitLocked(QueueEntry entry);

    /// <summary>The position of a walk, linked among the entries. All other code ignores it.</summary>
    internal sealed class Marker(TimerQueue queue) : QueueEntry(queue)
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
}

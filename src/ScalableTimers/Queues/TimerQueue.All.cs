using System.Diagnostics;
using System.Runtime.CompilerServices;
using ScalableTimers.Wheel;

namespace ScalableTimers.Queues;

/// <content>Operations on all entries: the end of a service or thread, the counts, what is pending.</content>
internal sealed partial class TimerQueue
{
    /// <summary>
    /// Ends what ends with the phase that the service has entered, under one hold of the lock. From then on nothing
    /// begins that would end with it.
    /// </summary>
    /// <returns>The delays that the caller must finish, chained by <see cref="TimerEntry.Older"/>.</returns>
    internal QueueEntry? Sweep()
    {
        QueueEntry? ended = null;
        _lock.Enter();
        var phase = Phase;
        var isDisposed = phase == ServicePhase.Disposed;
        if (isDisposed)
        {
            // Frees what waits there. Whatever another thread leaves there from now on has not seen the phase.
            Callbacks.UnlinkRemoteLocked();
        }

        for (var next = _wheel?.Next(null); next is not null;)
        {
            var entry = Unsafe.As<QueueEntry>(next);
            next = _wheel!.Next(entry);
            var end = entry.EndWithServiceLocked(phase);
            _counts.Cancelled += end == ServiceEnd.Cancelled ? 1 : 0;
            _counts.Dropped += end == ServiceEnd.Dropped ? 1 : 0;
            if (end != ServiceEnd.None || (isDisposed && !entry.TryReadLocked(out _)))
            {
                RemoveLocked(entry);
            }

            if (end == ServiceEnd.Cancelled)
            {
                entry.Older = ended;
                ended = entry;
            }
        }

        if (isDisposed)
        {
            Callbacks.CloseLocked();
            _delays.Close();
            DropEmptyWheelLocked();
        }

        Exit(Environment.CurrentManagedThreadId);
        return ended;
    }

    /// <summary>Reads pending entries into a list until it is full.</summary>
    internal void ReadPending(List<PendingEntry> found)
    {
        _lock.Enter();
        for (var entry = _wheel?.Next(null); entry is not null && found.Count < found.Capacity;)
        {
            if (Unsafe.As<QueueEntry>(entry).TryReadLocked(out var pending))
            {
                found.Add(pending);
            }

            entry = _wheel!.Next(entry);
        }

        Exit(Environment.CurrentManagedThreadId);
    }

    /// <summary>
    /// Drops the wheel and the idle entries of a queue whose owner has ended, if nothing is pending in it. The next
    /// entry that is linked gets a new wheel.
    /// </summary>
    internal void TrimOfEndedOwner()
    {
        _lock.Enter();
        Callbacks.UnlinkRemoteLocked();
        Callbacks.UnlinkOwnLocked();
        if (DropEmptyWheelLocked())
        {
            Debug.Assert(!Owner.IsAlive, "The queue of a thread that has not ended is trimmed.");
            Callbacks.CloseLocked();
            _delays.Close();
        }

        Exit(Environment.CurrentManagedThreadId);
    }

    /// <summary>Counts the timers by their outcome so far.</summary>
    internal QueueCounts Count()
    {
        _lock.Enter();
        Callbacks.UnlinkRemoteLocked();
        var counts = _counts;

        // The owner keeps counting the timers that it cancels. It has already counted each of them as scheduled, under
        // the lock.
        counts.Cancelled += Callbacks.CancelledByOwner;
        Exit(Environment.CurrentManagedThreadId);
        return counts;
    }

    /// <summary>
    /// Publishes the queue's earliest tick, which may be the start of a slot. The driver must be awake, or no longer
    /// need to wake for the queue (I2).
    /// </summary>
    private long PublishEarliestLocked()
    {
        AssertHeld();
        var earliest = _wheel?.EarliestTick ?? TimerWheel.Never;
        Volatile.Write(ref _announcedTick, earliest);
        return earliest;
    }

    private bool DropEmptyWheelLocked()
    {
        if (_wheel is not { Count: 0 })
        {
            return false;
        }

        _trimmedAtTick = _wheel.CurrentTick;
        _wheel = null;
        PublishEarliestLocked();
        return true;
    }
}

using System.Diagnostics;
using System.Runtime.CompilerServices;
using ScalableTimers.Wheel;

namespace ScalableTimers.Queues;

/// <content>Operations on all entries: walks, the end of a service or thread, the counts.</content>
internal sealed partial class TimerQueue
{
    /// <summary>Enters a later phase. From then on nothing begins that would end with it.</summary>
    internal void EnterPhase(ServicePhase phase)
    {
        _lock.Enter();
        _phase = phase > _phase ? phase : _phase;
        if (_phase == ServicePhase.Disposed)
        {
            // From now on no thread finds the queue, and entries that other threads cancel are unlinked at once.
            Registry = null;
            PublishEarliestLocked();
        }

        Exit(Environment.CurrentManagedThreadId);
    }

    /// <summary>One step of a walk.</summary>
    internal void Step(QueueWalk walk)
    {
        _lock.Enter();
        var position = walk.Position;
        position.IsOver |= _wheel is null;
        AssertHeld();
        for (var budget = StepSize; budget > 0 && !position.IsOver && !walk.HasEnough; budget--)
        {
            if (_wheel!.Next(position) is { } entry)
            {
                walk.VisitLocked(Unsafe.As<QueueEntry>(entry));
            }
        }

        if (walk.HasEnough)
        {
            _wheel?.EndWalk(position);
        }

        Exit(Environment.CurrentManagedThreadId);
    }

    /// <summary>Ends one entry if it ends with a phase that the service has entered.</summary>
    internal ServiceEnd EndLocked(QueueEntry entry, ServicePhase phase)
    {
        AssertHeld();
        var deadlineTick = entry.DeadlineTick;
        var end = entry.EndWithServiceLocked(phase);
        if (end != ServiceEnd.None || (phase == ServicePhase.Disposed && entry is not QueueWalk.Marker))
        {
            // At disposal, also what ended before, because the wheel is about to go. Markers of other walks stay.
            RemoveLocked(entry);
        }

        _counts.Cancelled += end == ServiceEnd.Cancelled ? 1 : 0;
        _counts.Dropped += end == ServiceEnd.Dropped ? 1 : 0;
        if (end == ServiceEnd.Outlives)
        {
            entry.SetPlace(deadlineTick, TimerEntry.OutsideSlot);
        }

        return end;
    }

    /// <summary>
    /// The last step of disposal, after <see cref="EndingWalk"/>: drops the wheel and the idle entries.
    /// </summary>
    internal void Close()
    {
        _lock.Enter();
        _wheel = null;
        _callbacks.Close();
        _delays.Close();
        Exit(Environment.CurrentManagedThreadId);
    }

    /// <summary>
    /// Drops the wheel and the idle entries of a queue whose owner has ended, if nothing is pending in it. The next
    /// entry that is linked gets a new wheel.
    /// </summary>
    internal void TrimOfEndedOwner()
    {
        _lock.Enter();
        UnlinkRemoteCancelsLocked();
        UnlinkKeptLocked();
        if (_wheel is { Count: 0 })
        {
            Debug.Assert(!Owner.IsAlive, "The queue of a thread that has not ended is trimmed.");
            _trimmedAtTick = _wheel.CurrentTick;
            _wheel = null;
            _callbacks.Close();
            _delays.Close();
        }

        Exit(Environment.CurrentManagedThreadId);
    }

    /// <summary>Counts the timers by their outcome so far.</summary>
    internal QueueCounts Count()
    {
        _lock.Enter();
        UnlinkRemoteCancelsLocked();
        var counts = _counts;

        // The owner keeps counting the timers that it cancels. It has already counted each of them as scheduled, under
        // the lock.
        counts.Cancelled += Volatile.Read(ref _cancelledByOwner);
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
        var earliest = _phase == ServicePhase.Disposed || _wheel is null ? TimerWheel.Never : _wheel.EarliestTick;
        Volatile.Write(ref _announcedTick, earliest);
        return earliest;
    }

    private void UnlinkRemoteCancelsLocked()
    {
        AssertHeld();
        while (TakeRemoteCancelLocked() is { } entry)
        {
            UnlinkCancelledLocked(entry);
        }
    }

    private void UnlinkKeptLocked()
    {
        AssertHeld();
        while (_callbacks.TryTake() is { } entry)
        {
            UnlinkCancelledLocked(entry);
        }
    }

    private void UnlinkCancelledLocked(QueueEntry entry)
    {
        RemoveLocked(entry);
        _callbacks.PushLocked(entry);
    }
}

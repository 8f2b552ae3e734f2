using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Queues;

/// <summary>The timers scheduled by one thread: a wheel, the lock that guards it, and idle entries for reuse.</summary>
/// <remarks>
/// <para>
/// Each thread schedules into its own queue, so the lock is nearly always free and its cache lines stay near. Any
/// thread may cancel, the driver expires entries, and a new thread takes over the queue of a thread that has ended. The
/// lock and the entries' states work the same for all threads, so a queue's owner matters only for speed.
/// </para>
/// <para>
/// A cancelled callback stays linked, without effect, until its entry is needed again. At best, the next timer goes
/// into the same slot, and nothing is linked or unlinked at all. Expiring entries and walking over them proceed in
/// bounded steps that release the lock in between, so no thread waits long for it.
/// </para>
/// </remarks>
internal sealed partial class TimerQueue : PaddedRemoteFields
{
    // Guards
    //   _wheel, _phase, _counts          _lock
    //   _announcedTick                   _lock (to write); the driver reads it without the lock
    //   _cancelledByOwner                the owner writes it, others may read it
    //   _callbacks, _delays              see EntryStore
    //   Owner, _ownerId                  written by the registry under its gate; _ownerId is 0, which is no thread's
    //                                    id, if all threads share the queue
    //   Registry                         becomes null once, at disposal
    //   entry links and places           _lock of the entry's queue
    //
    // Invariants whenever _lock is free
    //   I1  No entry above the due slot of _wheel has a deadline at or before the wheel's current tick.
    //   I2  Unless the service has been disposed, _announcedTick is no later than any deadline in _wheel, and one of
    //       these holds: the driver will wake no later than _announcedTick; it is awake and has yet to look; or the
    //       thread that lowered _announcedTick is about to wake it.
    //   I3  An entry is linked into at most one slot. Every live entry is linked, at its own deadline.
    //   I4  A life begins only under _lock. So an entry that a thread finds not live under _lock stays that way until
    //       _lock is released.
    //   I5  A linked entry that is not live is a callback. The owner keeps it (EntryStore), or it is in RemoteCancels,
    //       or a thread is about to put it into one of these or to unlink it. A free entry is not linked.
    //   I6  A delay is idle, and so free for another life, only when its result has been read and no registration can
    //       reach it.
    //   I7  Once the service has been disposed and EndingWalk is over, no entry is in a wheel. An entry that outlives
    //       the service is linked outside, and an OutlivingTimer rings at its deadline or is about to be armed.
    //
    // I2 may be pessimistic: cancelling does not raise _announcedTick, and entries cascade before they are due. Waking
    // early costs one empty pass.

    /// <summary>
    /// How many entries one step visits before it releases the lock, some 10 µs. Cancellations by other threads wait no
    /// longer than this.
    /// </summary>
    internal const int StepSize = 128;

    // In memory, the structs come last, in this order. Scheduling and cancelling touch everything before _delays.
    private TimerWheel? _wheel;
    private int _ownerId;
    private ServicePhase _phase;
    private long _cancelledByOwner;
    private long _announcedTick = TimerWheel.Never;
    private long _trimmedAtTick;
    private EntryStore _callbacks;
    private ReentrantInterlockedLock _lock;
    private QueueCounts _counts;
    private EntryStore _delays;

    public TimerQueue(QueueRegistry registry, Thread owner, ServicePhase phase, long startTick)
        : base(registry)
    {
        _phase = phase;
        _trimmedAtTick = startTick;
        Adopt(owner);
    }

    internal Thread Owner { get; private set; }

    /// <summary>A tick no later than the deadline of any entry. May be read without the lock.</summary>
    internal long EarliestTick => Volatile.Read(ref _announcedTick);

    /// <summary>The idle entries of scheduled callbacks.</summary>
    internal ref EntryStore Callbacks => ref _callbacks;

    /// <summary>The idle entries of delays.</summary>
    internal ref EntryStore Delays => ref _delays;

    internal ServicePhase Phase => _phase;

    /// <summary>
    /// Whether the calling thread is the owner. Also false for an owner that has just used another service: the queue
    /// then treats it like any other thread, which is equally correct.
    /// </summary>
    internal bool IsCalledByOwner => QueueRegistry.IsLastUsed(this) && _ownerId != 0;

    /// <summary>
    /// The id of the thread that schedules: the owner's, or the calling thread's if all threads share the queue.
    /// </summary>
    internal int SchedulerThreadId => _ownerId == 0 ? Environment.CurrentManagedThreadId : _ownerId;

    /// <summary>
    /// Gives the queue to a thread: its first owner, or one that takes it over from an ended thread.
    /// </summary>
    [MemberNotNull(nameof(Owner))]
    internal void Adopt(Thread owner)
    {
        Owner = owner;
        _ownerId = IsShared || _phase == ServicePhase.Disposed ? 0 : owner.ManagedThreadId;
        if (_phase != ServicePhase.Disposed)
        {
            _callbacks.Open();
            _delays.Open();
        }
    }

    /// <summary>
    /// Enters the lock. <see cref="Exit"/> releases it, as does every method whose name ends in AndExit.
    /// </summary>
    /// <returns>Whether the service drives the queue, that is, has not been disposed.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool Enter(int threadId)
    {
        _lock.Enter(threadId);
        return _phase != ServicePhase.Disposed;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Exit(int threadId)
    {
        AssertInvariantsLocked();
        _lock.Exit(threadId);
    }

    /// <summary>
    /// Links an entry, or moves it if it is still linked from an earlier life, and ensures that the driver wakes for
    /// it. The caller holds the lock; this releases it. The service drives the queue.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void LinkAndExit(QueueEntry entry, long deadlineTick, int threadId)
    {
        AssertHeld();
        (_wheel ?? CreateWheel()).Schedule(entry, deadlineTick);
        _counts.Scheduled++;
        if (deadlineTick < _announcedTick)
        {
            AnnounceAndExit(deadlineTick, threadId);
        }
        else
        {
            Exit(threadId);
        }
    }

    /// <summary>
    /// Gives an entry a new deadline, whether or not it is linked, and whether or not the service drives the queue. The
    /// caller holds the lock; this releases it.
    /// </summary>
    internal void RescheduleAndExit(QueueEntry entry, long deadlineTick, int threadId)
    {
        // Another thread may still cancel a pooled entry. The move then has no effect (I4).
        AssertHeld();
        _counts.Cancelled += entry.IsLinked ? 1 : 0;
        var isDriven = _phase != ServicePhase.Disposed;
        if (IsShared || !isDriven)
        {
            // A shared queue fires entries with the same deadline in the order in which they were scheduled.
            RemoveLocked(entry);
        }

        if (isDriven)
        {
            LinkAndExit(entry, deadlineTick, threadId);
            return;
        }

        _counts.Scheduled++;
        entry.SetPlace(deadlineTick, TimerEntry.OutsideSlot);
        Exit(threadId);
        OutlivingTimer.Arm(entry);
    }

    /// <summary>Unlinks a pending entry, if it is linked. The caller holds the lock; this releases it.</summary>
    internal void UnlinkAndExit(QueueEntry entry, int threadId)
    {
        AssertHeld();
        _counts.Cancelled += entry.IsLinked ? 1 : 0;
        RemoveAndExit(entry, threadId);
    }

    /// <summary>Re-arms an entry that has just expired, while the driver is awake.</summary>
    internal void RelinkLocked(QueueEntry entry, long deadlineTick)
    {
        AssertHeld();
        _counts.Scheduled++;
        if (_phase != ServicePhase.Disposed)
        {
            (_wheel ?? CreateWheel()).Schedule(entry, deadlineTick);
        }
        else
        {
            entry.SetPlace(deadlineTick, TimerEntry.OutsideSlot);
        }
    }

    /// <summary>
    /// Counts firings that are left out: periods that were over before they were scheduled, a firing of an expired
    /// entry that is skipped, or one that is postponed until the entry is linked again.
    /// </summary>
    internal void CountLeftOutLocked(long missed = 0, int skipped = 0, int postponed = 0)
    {
        AssertHeld();
        _counts.Scheduled += missed;
        _counts.Skipped += missed + skipped;
        _counts.Cancelled += postponed;
    }

    /// <summary>Finds an entry for a new callback. If it is still linked, the caller moves it.</summary>
    internal QueueEntry? TakeCallbackLocked()
    {
        AssertHeld();
        return _callbacks.TryTake() ?? _callbacks.TryPopLocked() ?? TakeRemoteCancelLocked();
    }

    /// <summary>
    /// Keeps the entry of a callback that the calling thread has cancelled, to be unlinked and reused.
    /// </summary>
    internal void KeepCancelled(QueueEntry entry)
    {
        // Once the service has been disposed, the entry may have a timer of the clock, which must be stopped. That
        // timer is set after Registry has become null, and only if the entry is live; the caller ended the life before.
        // Both sides execute full fences, so at least one of them sees the other.
        if (Registry is null)
        {
            UnlinkCancelled(entry);
        }
        else if (IsCalledByOwner)
        {
            Volatile.Write(ref _cancelledByOwner, _cancelledByOwner + 1);
            if (!_callbacks.TryKeep(entry))
            {
                UnlinkKept(entry);
            }
        }
        else if (IsShared || !RemoteCancels.TryAdd(entry))
        {
            UnlinkCancelled(entry);
        }
    }

    /// <summary>Unlinks an entry, if it is linked. If it is not live, no other thread can link it now (I4).</summary>
    internal void RemoveLocked(QueueEntry entry)
    {
        AssertHeld();
        if (entry.Slot == TimerEntry.OutsideSlot)
        {
            entry.ClearPlace();
        }
        else if (entry.IsLinked)
        {
            _wheel!.Remove(entry);
        }
    }

    /// <summary>Takes out expired entries in one bounded step, until the batch holds the maximum.</summary>
    /// <returns>False when nothing due is left.</returns>
    internal bool Expire(long nowTick, FiringBatch expired, int maxCount = FiringBatch.Capacity)
    {
        _lock.Enter();
        var budget = _phase == ServicePhase.Disposed ? 0 : StepSize;
        while (expired.Count < maxCount && _wheel?.Advance(nowTick, ref budget) is { } entry)
        {
            var deadlineTick = entry.DeadlineTick;
            if (Unsafe.As<QueueEntry>(entry).TryExpireLocked(nowTick, out var item))
            {
                expired.Add(item, deadlineTick);
                _counts.Expired++;
            }
        }

        var earliest = PublishEarliestLocked();
        Exit(Environment.CurrentManagedThreadId);
        return earliest <= nowTick;
    }

    /// <summary>Expires an entry outside the wheel, if it is due.</summary>
    /// <returns>False if there is nothing to run.</returns>
    internal bool TryExpireOutside(QueueEntry entry, long nowTick, out FiringItem item)
    {
        item = default;
        var isFiring = false;
        _lock.Enter();
        if (entry.Slot == TimerEntry.OutsideSlot && entry.DeadlineTick <= nowTick)
        {
            entry.ClearPlace();
            isFiring = entry.TryExpireLocked(nowTick, out item);
            _counts.Expired += isFiring ? 1 : 0;
        }

        Exit(Environment.CurrentManagedThreadId);
        return isFiring;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private TimerWheel CreateWheel() => _wheel = new TimerWheel(_trimmedAtTick, IsShared);

    /// <summary>Makes the driver wake by the queue's new earliest deadline.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AnnounceAndExit(long deadlineTick, int threadId)
    {
        // Publish the deadline first, then look at the driver. The driver does the reverse: it announces its next
        // wake-up, then looks at every queue. At least one side sees the other, so no timer waits on a sleeping driver.
        // The fence must be full: with release and acquire alone, each side's read could pass its own write.
        Volatile.Write(ref _announcedTick, deadlineTick);
        Exit(threadId);
        Interlocked.MemoryBarrier();
        Registry?.Driver?.WakeNoLaterThan(deadlineTick);
    }

    /// <summary>Makes room for an entry. Called by the owner.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnlinkKept(QueueEntry entry)
    {
        _lock.Enter(_ownerId);
        UnlinkKeptLocked();
        if (_callbacks.TryKeep(entry))
        {
            Exit(_ownerId);
        }
        else
        {
            // Once the service has been disposed, nothing is kept.
            RemoveAndExit(entry, _ownerId);
        }
    }

    /// <summary>Unlinks an entry, if it is linked. The caller holds the lock; this releases it.</summary>
    private void RemoveAndExit(QueueEntry entry, int threadId)
    {
        var isOutside = entry.Slot == TimerEntry.OutsideSlot;
        RemoveLocked(entry);
        Exit(threadId);
        if (isOutside)
        {
            // Otherwise the clock would keep its timer, and with it the entry, until the deadline.
            OutlivingTimer.Arm(entry);
        }
    }

    // Rarely needed, except in a shared queue, where every linked entry must be live to keep the order.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnlinkCancelled(QueueEntry entry)
    {
        var threadId = Environment.CurrentManagedThreadId;
        _lock.Enter(threadId);
        _counts.Cancelled++;
        UnlinkRemoteCancelsLocked();
        if (_phase == ServicePhase.Disposed)
        {
            RemoveAndExit(entry, threadId);
            return;
        }

        UnlinkCancelledLocked(entry);
        Exit(threadId);
    }

    private QueueEntry? TakeRemoteCancelLocked()
    {
        var cancelled = RemoteCancels.TakeLocked();
        _counts.Cancelled += cancelled is null ? 0 : 1;
        return cancelled;
    }

    [Conditional("DEBUG")]
    private void AssertHeld() =>
        Debug.Assert(_lock.IsHeldByCurrentThread, "Called without _lock: another thread may be mid-change.");

    [Conditional("DEBUG")]
    private void AssertInvariantsLocked()
    {
        AssertHeld();
        Debug.Assert(
            _wheel?.HoldsNothingOverdue != false, "I1: an entry above the due slot has a deadline that has passed.");
        Debug.Assert(
            _phase == ServicePhase.Disposed || _wheel is null || _announcedTick <= _wheel.EarliestTickAtMost,
            "I2: the published tick is later than a deadline, so the driver would oversleep.");
    }
}

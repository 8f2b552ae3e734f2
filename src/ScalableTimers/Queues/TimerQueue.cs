using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Queues;

/// <summary>
/// The timers scheduled by one thread: a wheel, the lock that guards it, and the tick announced to the driver.
/// </summary>
/// <remarks>
/// <para>
/// Each thread schedules into its own queue, so the lock is nearly always free and its cache lines stay near. Any
/// thread may cancel, the driver expires entries, and a new thread takes over the queue of a thread that has ended. The
/// lock and the entries' states work the same for all threads, so a queue's owner matters only for speed.
/// </para>
/// <para>
/// Expiring entries proceeds in bounded steps that release the lock in between. Only the end of the service, and
/// reading what is pending, go over all entries under one hold of it.
/// </para>
/// </remarks>
internal sealed partial class TimerQueue : PaddedRemoteFields
{
    // Guards
    //   _wheel, _counts                  _lock
    //   _announcedTick                   _lock (to write); the driver reads it without the lock
    //   _delays                          see EntryStore
    //   Owner, _ownerId                  written by the registry under its gate; _ownerId is 0, which is no thread's
    //                                    id, if all threads share the queue
    //   entry links and places           _lock of the entry's queue
    //   the service's phase              the registry's gate; whoever enters _lock after a sweep sees the phase of it
    //
    // Invariants whenever _lock is free
    //   I1  No entry above the due slot of _wheel has a deadline at or before the wheel's current tick.
    //   I2  _announcedTick is no later than any deadline in _wheel, and one of these holds: the driver will wake no
    //       later than _announcedTick; it is awake and has yet to look; or the thread that lowered _announcedTick is
    //       about to wake it.
    //   I3  An entry is linked into at most one slot. Every live entry is linked, at its deadline or before.
    //   I4  A life begins only under _lock. So an entry that a thread finds not live under _lock stays that way until
    //       _lock is released.
    //   I5  A linked entry that is not live is a callback, and one of CancelledCallbacks, or a thread is about to put
    //       it there or to unlink it. A free entry is not linked.
    //   I6  A delay is idle, and so free for another life, only when its result has been read and no registration can
    //       reach it.
    //   I7  Once the service has been disposed and the queue swept, a linked entry is live, or a thread is about to
    //       unlink it. So the driver, which goes on until nothing is linked, does not go on for nothing.
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
    private long _announcedTick = TimerWheel.Never;
    private long _trimmedAtTick;
    private ReentrantInterlockedLock _lock;
    private QueueCounts _counts;
    private EntryStore _delays;

    public TimerQueue(QueueRegistry registry, Thread owner, long startTick)
        : base(registry)
    {
        _trimmedAtTick = startTick;
        Callbacks = new CancelledCallbacks(this);
        Adopt(owner);
    }

    internal Thread Owner { get; private set; }

    /// <summary>A tick no later than the deadline of any entry. May be read without the lock.</summary>
    internal long EarliestTick => Volatile.Read(ref _announcedTick);

    /// <summary>The idle entries of delays.</summary>
    internal ref EntryStore Delays => ref _delays;

    /// <summary>The phase that the service has entered. What may not begin in it is refused under the lock.</summary>
    internal ServicePhase Phase => Registry.Phase;

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
        _ownerId = IsOrdered ? 0 : owner.ManagedThreadId;
        Callbacks.Open();
        _delays.Open();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Enter(int threadId) => _lock.Enter(threadId);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Exit(int threadId)
    {
        AssertInvariantsLocked();
        _lock.Exit(threadId);
    }

    /// <summary>Links an entry for a new timer, or moves it if it is still linked from an earlier life.</summary>
    /// <returns>
    /// Whether the caller must call <see cref="WakeDriver"/> when it has left the lock: the deadline is nearer than all
    /// others of the queue.
    /// </returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool LinkLocked(QueueEntry entry, long deadlineTick)
    {
        _counts.Scheduled++;
        return PlaceLocked(entry, deadlineTick);
    }

    /// <summary>Gives an entry a new deadline, whether or not it is linked.</summary>
    /// <returns>See <see cref="LinkLocked"/>.</returns>
    internal bool MoveLocked(QueueEntry entry, long deadlineTick)
    {
        // Another thread may still cancel a pooled entry. The move then has no effect (I4).
        _counts.Scheduled += entry.IsLinked ? 0 : 1;
        if (IsOrdered)
        {
            // A shared queue fires entries with the same deadline in the order in which they were scheduled.
            RemoveLocked(entry);
        }

        return PlaceLocked(entry, deadlineTick);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool PlaceLocked(QueueEntry entry, long deadlineTick)
    {
        AssertHeld();
        (_wheel ?? CreateWheel()).Schedule(entry, deadlineTick);
        if (deadlineTick >= _announcedTick)
        {
            return false;
        }

        Volatile.Write(ref _announcedTick, deadlineTick);
        return true;
    }

    /// <summary>Makes the driver wake by a deadline that is linked. Called when the lock has been left.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void WakeDriver(long deadlineTick)
    {
        // The deadline has been announced; now look at the driver. The driver does the reverse: it announces its next
        // wake-up, then looks at every queue. At least one side sees the other, so no timer waits on a sleeping driver.
        // The fence must be full: with release and acquire alone, each side's read could pass its own write.
        Interlocked.MemoryBarrier();
        Registry.Driver?.WakeNoLaterThan(deadlineTick);
    }

    /// <summary>Unlinks a pending entry, if it is linked.</summary>
    /// <returns>
    /// Whether the caller must call <see cref="RunOut"/> when it has left the lock: the service has been disposed, and
    /// nothing is left in the queue.
    /// </returns>
    internal bool UnlinkLocked(QueueEntry entry)
    {
        AssertHeld();
        _counts.Cancelled += entry.IsLinked ? 1 : 0;
        RemoveLocked(entry);
        return HasRunOutLocked();
    }

    /// <inheritdoc cref="UnlinkLocked"/>
    internal bool HasRunOutLocked()
    {
        var hasRunOut = Phase == ServicePhase.Disposed && _wheel is { Count: 0 };
        if (hasRunOut)
        {
            PublishEarliestLocked();
        }

        return hasRunOut;
    }

    /// <summary>Makes the driver look whether anything is left to do. Called when the lock has been left.</summary>
    internal void RunOut() => Registry.Driver?.RunOut();

    /// <summary>Links an entry that has just been taken out at its place, while the driver is awake.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="deadlineTick">When it is due.</param>
    /// <param name="isNew">Whether that is another firing, not a postponed one.</param>
    internal void RelinkLocked(QueueEntry entry, long deadlineTick, bool isNew)
    {
        AssertHeld();
        _counts.Scheduled += isNew ? 1 : 0;
        (_wheel ?? CreateWheel()).Schedule(entry, deadlineTick);
    }

    /// <summary>Keeps the entry of a callback whose life the calling thread has ended by cancelling it.</summary>
    internal void KeepCancelled(QueueEntry entry)
    {
        // A disposed service is driven until nothing is linked (I7). The caller has ended the life, then looks at the
        // phase; a sweep does the reverse. Both sides execute full fences, so at least one of them sees the other.
        if (Phase == ServicePhase.Disposed)
        {
            Callbacks.Unlink(entry);
        }
        else if (IsCalledByOwner)
        {
            Callbacks.KeepOwn(entry);
        }
        else if (IsOrdered || !RemoteCancels.TryAdd(entry))
        {
            // In an ordered queue every linked entry must be live, to keep the order.
            Callbacks.Unlink(entry);
        }
    }

    internal void CountCancelledLocked() => _counts.Cancelled++;

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

    /// <summary>Unlinks an entry, if it is linked. If it is not live, no other thread can link it now (I4).</summary>
    internal void RemoveLocked(QueueEntry entry)
    {
        AssertHeld();
        if (entry.IsLinked)
        {
            _wheel!.Remove(entry);
        }
    }

    /// <summary>Takes out expired entries in one bounded step, until the batch holds the maximum.</summary>
    /// <returns>False when nothing due is left.</returns>
    internal bool Expire(long nowTick, FiringBatch expired, int maxCount = FiringBatch.Capacity)
    {
        _lock.Enter();
        var budget = StepSize;
        while (expired.Count < maxCount && _wheel?.Advance(nowTick, ref budget) is { } entry)
        {
            var deadlineTick = entry.DueTick;
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

    [MethodImpl(MethodImplOptions.NoInlining)]
    private TimerWheel CreateWheel() => _wheel = new TimerWheel(_trimmedAtTick, IsOrdered);

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
            _wheel is null || _announcedTick <= _wheel.EarliestTickAtMost,
            "I2: the published tick is later than a deadline, so the driver would oversleep.");
    }
}

using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ScalableTimers.Firing;
using ScalableTimers.Timers;
using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <summary>The timers scheduled by one thread: a wheel, the lock that guards it, and the entries to be used again.</summary>
/// <remarks>
/// <para>
/// A thread schedules into a collection of its own, so the lock is free and its cache lines are near. Any thread may cancel, the
/// driver expires, and a thread that ends leaves its collection to a new one; the lock and the states of entries hold for all, so
/// which thread a collection belongs to matters for speed only.
/// </para>
/// <para>
/// Lives begin, and entries are linked, moved and unlinked, under the lock. Lives end without it, by one compare-exchange of
/// the entry's <see cref="EntryState"/>. An entry that was cancelled stays linked, to no effect, until it is needed again: in the best
/// case the next timer goes into the same slot, and nothing is linked or unlinked at all. How many stay linked is bounded.
/// Expiring and ending work in bounded steps and let go of the lock between them, so that nobody waits for a long one.
/// </para>
/// </remarks>
internal sealed partial class TimerCollection : ForeignSide
{
    // Guards
    //   _wheel, _phase, counters,        _lock
    //   _announcesNext
    //   _earliestTick                    _lock (written); the driver reads it without
    //   _cancelledHere                   the owner writes it, others may read it
    //   _callbacks, _delays              see EntryStore
    //   Service, Owner                   written by the registry under its gate; Service becomes null once, at disposal
    //   entry links and places           _lock of the entry's collection
    //
    // Invariants whenever _lock is free
    //   I1  No entry above the due slot of _wheel has a deadline at or before the wheel's current tick.
    //   I2  Unless the service has been disposed, _earliestTick is no later than any deadline in _wheel, and the driver will
    //       wake no later than _earliestTick, or is awake and has yet to look, or the thread that lowered it is about to wake it,
    //       or the clock has failed: then _announcesNext is set, and the next timer has the driver wake by _earliestTick.
    //   I3  An entry is linked into at most one slot. Every live entry is linked, at its own deadline.
    //   I4  A life begins under _lock only. So an entry that is seen not to live under _lock does not live before it is free.
    //   I5  A linked entry that does not live is kept by the owner (EntryStore), is in CancelledElsewhere, or is in the hands of a
    //       thread that is about to put it there or to unlink it. An entry in the chain of an EntryStore is not linked.
    //   I6  A delay is idle, and with it free for another life, only when its result has been read and no registration can reach it.
    //
    // I2 may be pessimistic: cancelling does not raise _earliestTick. Waking early costs one empty look.

    /// <summary>How many entries are looked at before the lock is let go, some 10 µs. Cross-thread cancels wait no longer than this.</summary>
    private const int ExpiryBudget = 128;

    /// <summary>How many timers the owner schedules from one look at whether the driver is starved to the next.</summary>
    private const int TimersPerLook = 64;

    private readonly TimerWheel _wheel;
    private EntryStore _callbacks = new();
    private EntryStore _delays = new();
    private ReentrantInterlockedLock _lock;
    private int _ownerId;
    private long _earliestTick = TimerWheel.Never;
    private bool _announcesNext;
    private ServicePhase _phase;
    private long _scheduled;
    private long _expired;
    private long _cancelled;
    private long _cancelledHere;
    private long _skipped;
    private long _dropped;
    private long _handedOver;

    /// <param name="service">The service that the timers belong to.</param>
    /// <param name="owner">The thread that schedules into it.</param>
    /// <param name="isShared">Whether all threads do, and its timers keep an order.</param>
    /// <param name="phase">The service's.</param>
    /// <param name="startTick">The tick that it is.</param>
    public TimerCollection(TimerService service, Thread owner, bool isShared, ServicePhase phase, long startTick)
        : base(service, isShared)
    {
        Adopt(owner);
        _phase = phase;
        _wheel = new TimerWheel(startTick, isOrdered: isShared);
    }

    internal Thread Owner { get; private set; }

    /// <summary>No later than the deadline of any entry. May be read without the lock.</summary>
    internal long EarliestTick => Volatile.Read(ref _earliestTick);

    // False, too, for an owner that has just used another service: then it does as other threads do, which is right as well.
    private bool IsCalledByOwner => CollectionRegistry.IsRecent(this) && !IsShared;

    // The thread that schedules, which is the owner unless all share the collection.
    private int Scheduler => IsShared ? Environment.CurrentManagedThreadId : _ownerId;

    /// <summary>Gives the collection to a thread, its first or one that follows an ended one.</summary>
    [MemberNotNull(nameof(Owner))]
    internal void Adopt(Thread owner)
    {
        Owner = owner;
        _ownerId = owner.ManagedThreadId;
    }

    /// <summary>Called by the owner, or by any thread if all share the collection.</summary>
    internal ScheduledTimer Schedule(TimerCallback callback, object? state, TimeSpan dueTime)
    {
        var deadlineTick = DeadlineTick(dueTime);
        var me = Scheduler;
        EnterOpen(me);
        var entry = TakeCallbackLocked();
        if (entry is null)
        {
            // Nothing that can fail is done under the lock, and an allocation can.
            _lock.Exit(me);
            entry = new CallbackEntry(this);
            EnterOpen(me);
        }

        var timer = new ScheduledTimer(entry, entry.BeginLocked(callback, state));
        _wheel.ScheduleOrMove(entry, deadlineTick);
        CountAndExit(deadlineTick, me);
        return timer;
    }

    internal bool Reschedule(CallbackEntry entry, long life, TimeSpan dueTime)
    {
        var deadlineTick = DeadlineTick(dueTime);
        var me = Environment.CurrentManagedThreadId;
        _lock.Enter(me);
        if (!entry.Lives(life) || _phase == ServicePhase.Disposed)
        {
            _lock.Exit(me);
            return false;
        }

        // It may be cancelled from now on; then it is moved to no effect (I4).
        if (IsShared)
        {
            // There the order of one deadline is the order of scheduling.
            _wheel.Remove(entry);
        }

        _wheel.ScheduleOrMove(entry, deadlineTick);
        _cancelled++;
        CountAndExit(deadlineTick, me);
        return true;
    }

    /// <summary>Takes an entry whose life the calling thread has ended, to be unlinked and used again.</summary>
    internal void TakeBackCancelled(CallbackEntry entry)
    {
        if (IsCalledByOwner)
        {
            Volatile.Write(ref _cancelledHere, _cancelledHere + 1);
            Keep(entry, ref _callbacks);
        }
        else if (IsShared || !CancelledElsewhere.TryAdd(entry))
        {
            UnlinkCancelled(entry);
        }
    }

    /// <summary>When something that starts now is due. Called without the lock, because a clock may be the user's own.</summary>
    internal long DeadlineTick(TimeSpan dueTime) =>
        dueTime == Timeout.InfiniteTimeSpan ? TimerWheel.Never : Clock.DeadlineTick(Clock.DueAt(dueTime));

    /// <summary>Enters the lock for an entry of the user's own; <see cref="LinkAndExit"/> or <see cref="Exit"/> leaves it.</summary>
    /// <param name="me">The calling thread's <see cref="Environment.CurrentManagedThreadId"/>.</param>
    /// <returns>Whether the service still drives timers.</returns>
    internal bool Enter(int me)
    {
        _lock.Enter(me);
        return _phase != ServicePhase.Disposed;
    }

    internal void Exit(int me)
    {
        AssertInvariantsLocked();
        _lock.Exit(me);
    }

    internal void UnlinkLocked(CollectionEntry entry)
    {
        AssertHeld();
        if (entry.IsLinked)
        {
            _wheel.Remove(entry);
            _cancelled++;
        }
    }

    /// <summary>Links an entry and makes sure that the driver knows. The lock is held before and free afterwards.</summary>
    internal void LinkAndExit(CollectionEntry entry, long deadlineTick, int me)
    {
        AssertHeld();
        _wheel.Schedule(entry, deadlineTick);
        CountAndExit(deadlineTick, me);
    }

    /// <summary>Links an entry that is due. The lock is held before and free afterwards.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="nowTick">The tick that it is, as far as is known: the wheel may know better.</param>
    /// <param name="me">The calling thread's <see cref="Environment.CurrentManagedThreadId"/>.</param>
    internal void LinkDueAndExit(CollectionEntry entry, long nowTick, int me) => LinkAndExit(entry, Math.Max(nowTick, _wheel.CurrentTick), me);

    /// <summary>Re-arms an entry that has just expired. The driver is awake and will look at the earliest tick.</summary>
    internal void RelinkLocked(CollectionEntry entry, long deadlineTick)
    {
        AssertHeld();
        _wheel.Schedule(entry, deadlineTick);
        _scheduled++;
    }

    /// <summary>Counts firings that are left out: of periods over before they were scheduled, of an expired entry, of one that will be linked again instead.</summary>
    internal void LeaveOutLocked(long missed = 0, int skipped = 0, int postponed = 0)
    {
        AssertHeld();
        _scheduled += missed;
        _skipped += missed + skipped;
        _cancelled += postponed;
    }

    /// <summary>Keeps an entry that has ended and is not linked.</summary>
    internal void ReleaseLocked(CallbackEntry entry)
    {
        AssertHeld();
        _callbacks.PushLocked(entry);
    }

    /// <summary>Takes out what has expired, in one bounded step.</summary>
    /// <param name="nowTick">The tick that it is.</param>
    /// <param name="expired">Receives what is to run; need not be empty.</param>
    /// <param name="oldestTick">Lowered to the earliest deadline taken out.</param>
    /// <returns>False when nothing that is due is left.</returns>
    internal bool Expire(long nowTick, FiringBatch expired, ref long oldestTick)
    {
        _lock.Enter();
        var budget = _phase == ServicePhase.Disposed ? 0 : ExpiryBudget;
        while (!expired.IsFull && _wheel.Advance(nowTick, ref budget) is { } entry)
        {
            var deadlineTick = entry.DeadlineTick;
            if (Unsafe.As<CollectionEntry>(entry).TryExpireLocked(nowTick, out var item))
            {
                oldestTick = Math.Min(oldestTick, deadlineTick);
                expired.Add(item);
                _expired++;
            }
        }

        var earliest = PublishEarliestLocked();
        Exit(Environment.CurrentManagedThreadId);
        return earliest <= nowTick;
    }

    /// <summary>Takes out the one entry that expires next, for a service that fires in order.</summary>
    internal bool TryExpireOne(long nowTick, out FiringItem item)
    {
        _lock.Enter();
        item = default;
        var isExpired = false;
        if (_phase != ServicePhase.Disposed)
        {
            TimerEntry? entry;
            int budget;
            do
            {
                budget = ExpiryBudget;
                entry = _wheel.Advance(nowTick, ref budget);
                isExpired = entry is not null && Unsafe.As<CollectionEntry>(entry).TryExpireLocked(nowTick, out item);
            }
            while (!isExpired && (entry is not null || budget == 0));
        }

        _expired += isExpired ? 1 : 0;
        PublishEarliestLocked();
        Exit(Environment.CurrentManagedThreadId);
        return isExpired;
    }

    /// <summary>Enters a later phase: nothing begins any more that ends with it.</summary>
    internal void EnterPhase(ServicePhase phase)
    {
        _lock.Enter();
        _phase = phase > _phase ? phase : _phase;
        PublishEarliestLocked();
        Exit(Environment.CurrentManagedThreadId);
    }

    /// <summary>Ends what ends with a phase that has been entered, in bounded steps. User code may run in between, with no lock held.</summary>
    /// <returns>How many delays have ended.</returns>
    internal int EndPhase(ServicePhase phase)
    {
        var service = Service;
        var ended = new CollectionEntry[ExpiryBudget];
        var sweep = new WheelSweep(new SweepMarker(this));

        // What lives is found: nothing begins that ends with this phase, and the walk misses nothing that stays linked.
        var delays = 0;
        do
        {
            var count = EndSome(phase, sweep, ended, ref delays);
            foreach (var entry in ended.AsSpan(0, count))
            {
                service?.FinishEnd(entry);
            }
        }
        while (!sweep.IsOver);

        if (phase == ServicePhase.Disposed)
        {
            Close();
        }

        return delays;
    }

    internal void AddTo(ref CollectionCounts counts)
    {
        _lock.Enter();
        UnlinkCancelledElsewhereLocked();

        // The owner goes on counting what it cancels. It has counted the beginning of each under the lock.
        var cancelled = _cancelled + Volatile.Read(ref _cancelledHere);
        counts.Pending += _scheduled - _expired - _skipped - cancelled - _dropped - _handedOver;
        counts.Scheduled += _scheduled;
        counts.Cancelled += cancelled;
        counts.Skipped += _skipped;
        counts.Dropped += _dropped;
        counts.HandedOver += _handedOver;
        Exit(Environment.CurrentManagedThreadId);
    }

    private int EndSome(ServicePhase phase, WheelSweep sweep, CollectionEntry[] ended, ref int delays)
    {
        var count = 0;
        _lock.Enter();
        for (var budget = ExpiryBudget; budget > 0 && _wheel.Next(sweep) is { } entry; budget--)
        {
            var found = Unsafe.As<CollectionEntry>(entry);
            var end = found.EndWithServiceLocked(phase);
            if (end != ServiceEnd.None)
            {
                _wheel.Remove(found);
                ended[count++] = found;
                _dropped += end == ServiceEnd.Dropped ? 1 : 0;
                _handedOver += end == ServiceEnd.HandedOver ? 1 : 0;
                _cancelled += end == ServiceEnd.Cancelled ? 1 : 0;
                delays += end == ServiceEnd.Cancelled ? 1 : 0;
            }
        }

        Exit(Environment.CurrentManagedThreadId);
        return count;
    }

    private void Close()
    {
        _lock.Enter();
        _callbacks.ClearFreeLocked();
        _delays.ClearFreeLocked();
        Service = null;
        _lock.Exit();
    }

    /// <summary>Finds a callback's entry for a new life. It may be linked already, to be moved.</summary>
    private CallbackEntry? TakeCallbackLocked()
    {
        AssertHeld();
        var known = _callbacks.TryTake() ?? _callbacks.TryPopLocked();
        if (known is not null)
        {
            return Unsafe.As<CallbackEntry>(known);
        }

        var cancelled = CancelledElsewhere.TakeLocked();
        _cancelled += cancelled is null ? 0 : 1;
        return cancelled;
    }

    // Called by the owner.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Keep(PooledEntry entry, ref EntryStore store)
    {
        while (!store.TryKeep(entry))
        {
            UnlinkKept(ref store);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnlinkKept(ref EntryStore store)
    {
        _lock.Enter(_ownerId);
        while (store.TryTake() is { } entry)
        {
            UnlinkAndReleaseLocked(entry, ref store);
        }

        Exit(_ownerId);
    }

    // Rarely needed, except where all share the collection: there every linked entry lives, as its order demands.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnlinkCancelled(CallbackEntry entry)
    {
        var me = Environment.CurrentManagedThreadId;
        _lock.Enter(me);
        _cancelled++;
        UnlinkAndReleaseLocked(entry, ref _callbacks);
        UnlinkCancelledElsewhereLocked();
        Exit(me);
    }

    private void UnlinkCancelledElsewhereLocked()
    {
        AssertHeld();
        while (CancelledElsewhere.TakeLocked() is { } entry)
        {
            _cancelled++;
            UnlinkAndReleaseLocked(entry, ref _callbacks);
        }
    }

    // It does not live, so nobody links it meanwhile (I4). It may have been unlinked by expiring, to no effect.
    private void UnlinkAndReleaseLocked(PooledEntry entry, ref EntryStore store)
    {
        AssertHeld();
        UnlinkEndedLocked(entry);
        if (_phase != ServicePhase.Disposed)
        {
            store.PushLocked(entry);
        }
    }

    private void UnlinkEndedLocked(PooledEntry entry)
    {
        AssertHeld();
        if (entry.IsLinked)
        {
            _wheel.Remove(entry);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void EnterOpen(int me)
    {
        _lock.Enter(me);
        if (_phase == ServicePhase.Disposed)
        {
            _lock.Exit(me);
            TimerService.ThrowDisposed();
        }
    }

    [Conditional("DEBUG")]
    private void AssertHeld() =>
        Debug.Assert(_lock.IsHeldByCurrentThread, "Called without _lock: another thread may be mid-change.");

    [Conditional("DEBUG")]
    private void AssertInvariantsLocked()
    {
        AssertHeld();
        Debug.Assert(_wheel.HoldsNothingOverdue, "I1: an entry above the due slot has a deadline that has passed.");
        Debug.Assert(
            _phase == ServicePhase.Disposed || _earliestTick <= _wheel.EarliestTickAtMost,
            "I2: the published tick is later than a deadline, so the driver would oversleep.");
    }
}

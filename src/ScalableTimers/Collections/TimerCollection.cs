using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ScalableTimers.Driving;
using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <summary>The timers scheduled by one thread: a wheel, the lock that guards it, and the entries to be used again.</summary>
/// <remarks>
/// <para>
/// A thread schedules into a collection of its own, so the lock is free and its cache lines are near. Any thread may cancel, the
/// driver expires, and a thread that ends leaves its collection to a new one; the lock and the versions of entries hold for all, so
/// which thread a collection belongs to matters for speed only.
/// </para>
/// <para>
/// Cancelling a callback is one compare-exchange of its version. Unlinking it is left to the next time that an entry is needed: in
/// the best case the next timer goes into the same slot, and nothing is linked or unlinked at all. The owner leaves what it
/// cancels in one place and other threads in another; both are bounded, so what is linked is what is pending and a few more.
/// Expiring works in bounded steps and lets go of the lock between them, so that nobody waits for a long one.
/// </para>
/// </remarks>
internal sealed partial class TimerCollection : ForeignSide
{
    // Guards
    //   _wheel, the free lists, _phase, counters   _lock
    //   _earliestTick    _lock (written); the driver reads it without
    //   _cancelledHere, _ownDelays, _stretchBeganAt   the owner alone, with or without _lock
    //   Service, Owner   written by the registry under its gate; Service becomes null once, at disposal
    //   entry links and places                     _lock of the entry's collection
    //
    // Invariants whenever _lock is free
    //   I1  No entry above the due slot of _wheel has a deadline at or before the wheel's current tick.
    //   I2  If _wheel is not empty, the driver will wake no later than its earliest tick, or is awake and has yet to look,
    //       or the thread that lowered _earliestTick is about to wake it. If _recent is open, the same at the tick after it was opened.
    //   I3  An entry is linked into at most one slot. Callback entries that do not live are in one of the lists below, or in the hands
    //       of one thread; those in _cancelledHere and CancelledElsewhere may be linked, those in _freeCallbacks are not.
    //
    // I2 may be pessimistic: cancelling does not raise _earliestTick. Waking early costs one empty look.

    /// <summary>How many entries are looked at before the lock is let go, some 10 µs. Cross-thread cancels wait no longer than this.</summary>
    private const int ExpiryBudget = 128;

    private const int MaxFreeEntries = 4096;

    private readonly TimerWheel _wheel;
    private OwnCancellations _cancelledHere = new();
    private OwnDelays _ownDelays = new();
    private ReentrantInterlockedLock _lock;
    private int _ownerId;
    private long _earliestTick = TimerWheel.Never;
    private EntryStack _freeCallbacks;
    private EntryStack _freeDelays;
    private EntryStack _freeObservedDelays;
    private ServicePhase _phase;
    private long _scheduled;
    private long _expired;
    private long _cancelled;
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
        _longDueTime = service.HasRecentTimes ? Clock.ToDuration(Clock.UnitsAt(LongDueTimeTicks)).Ticks : long.MaxValue;
    }

    internal Thread Owner { get; private set; }

    /// <summary>No later than the deadline of any entry. May be read without the lock.</summary>
    internal long EarliestTick => Volatile.Read(ref _earliestTick);

    // False, too, for an owner that has just used another service; then it takes the way of the others, which is as right.
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
        var now = TimeFor(dueTime);
        var me = Scheduler;
        EnterOpen(me);
        var entry = TakeEntryLocked();
        if (entry is null)
        {
            // Nothing that can fail is done under the lock, and an allocation can.
            _lock.Exit(me);
            entry = new CallbackEntry(this);
            EnterOpen(me);
        }

        var timer = new ScheduledTimer(entry, entry.Arm(callback, state));
        var deadlineTick = DeadlineTickLocked(entry, dueTime, now);
        _wheel.ScheduleOrMove(entry, deadlineTick);
        CountAndExit(deadlineTick, me);
        return timer;
    }

    /// <summary>Takes an entry whose life the calling thread has ended, to be unlinked and used again.</summary>
    internal void TakeBackCancelled(CallbackEntry entry)
    {
        if (IsCalledByOwner)
        {
            while (!_cancelledHere.TryAdd(entry))
            {
                UnlinkCancelledHere();
            }
        }
        else if (IsShared || !CancelledElsewhere.TryAdd(entry))
        {
            UnlinkCancelled(entry);
        }
    }

    internal bool Reschedule(CallbackEntry entry, long version, TimeSpan dueTime)
    {
        var now = TimeFor(dueTime);
        var me = Environment.CurrentManagedThreadId;
        _lock.Enter(me);
        if (entry.Version != version)
        {
            _lock.Exit(me);
            return false;
        }

        // It may be cancelled from now on; then it is moved in vain.
        if (IsShared)
        {
            // There the order of one deadline is the order of scheduling.
            _wheel.Remove(entry);
        }

        var deadlineTick = DeadlineTickLocked(entry, dueTime, now);
        _wheel.ScheduleOrMove(entry, deadlineTick);
        _cancelled++;
        CountAndExit(deadlineTick, me);
        return true;
    }

    /// <summary>Enters the lock for an entry of the user's own; <see cref="LinkAndExit"/> or <see cref="Exit"/> leaves it.</summary>
    /// <param name="me">The calling thread's <see cref="Environment.CurrentManagedThreadId"/>.</param>
    /// <returns>Whether the service still drives timers.</returns>
    internal bool Enter(int me)
    {
        _lock.Enter(me);
        return _phase != ServicePhase.Disposed;
    }

    internal void Exit(int me) => _lock.Exit(me);

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

    /// <summary>Re-arms an entry that has just expired. The driver is awake and will look at the earliest tick.</summary>
    internal void RelinkLocked(CollectionEntry entry, long deadlineTick)
    {
        AssertHeld();
        _wheel.Schedule(entry, deadlineTick);
        _scheduled++;
    }

    /// <summary>Links a delay that lives and whose place has expired before its deadline.</summary>
    internal void MoveOnLocked(DelayEntry entry, long deadlineTick)
    {
        AssertHeld();
        _wheel.Schedule(entry, deadlineTick);
    }

    /// <summary>Counts firings that are left out: of periods over before they were scheduled, of an expired entry, of one that will be linked again instead.</summary>
    internal void LeaveOutLocked(long missed = 0, int skipped = 0, int postponed = 0)
    {
        _scheduled += missed;
        _skipped += missed + skipped;
        _cancelled += postponed;
    }

    /// <summary>Keeps an entry that has ended and is not linked.</summary>
    internal void ReleaseLocked(CallbackEntry entry)
    {
        AssertHeld();
        _ = _freeCallbacks.TryPush(entry, MaxFreeEntries);
    }

    /// <summary>Takes out what has expired, in one bounded step.</summary>
    /// <param name="nowTick">The tick that it is.</param>
    /// <param name="expired">Receives what is to run; need not be empty.</param>
    /// <param name="oldestTick">Lowered to the earliest deadline taken out.</param>
    /// <returns>False when nothing that is due is left.</returns>
    internal bool Expire(long nowTick, FiringBatch expired, ref long oldestTick)
    {
        _lock.Enter();
        var lookAgainTick = _recent.IsOpen ? nowTick + 1 : TimerWheel.Never;
        CloseRecentTimeLocked();
        var budget = ExpiryBudget;
        while (!expired.IsFull && _wheel.Advance(nowTick, ref budget) is { } entry)
        {
            var deadlineTick = entry.DeadlineTick;
            if (Unsafe.As<CollectionEntry>(entry).TryExpireLocked(out var item))
            {
                oldestTick = Math.Min(oldestTick, deadlineTick);
                expired.Add(item);
                _expired++;
            }
        }

        // The owner is about to open another recent time, and then the driver need not be woken for it.
        var earliest = Math.Min(_wheel.EarliestTick, lookAgainTick);
        Volatile.Write(ref _earliestTick, earliest);
        _lock.Exit();
        return earliest <= nowTick;
    }

    /// <summary>Takes out the one entry that expires next, for a service that fires in order.</summary>
    internal bool TryExpireOne(long nowTick, out FiringItem item)
    {
        _lock.Enter();
        item = default;
        TimerEntry? entry;
        bool isExpired;
        int budget;
        do
        {
            budget = ExpiryBudget;
            entry = _wheel.Advance(nowTick, ref budget);
            isExpired = entry is not null && Unsafe.As<CollectionEntry>(entry).TryExpireLocked(out item);
        }
        while (!isExpired && (entry is not null || budget == 0));

        _expired += isExpired ? 1 : 0;
        Volatile.Write(ref _earliestTick, _wheel.EarliestTick);
        _lock.Exit();
        return isExpired;
    }

    /// <summary>Enters a later phase and takes out what ends with it.</summary>
    /// <param name="phase">The phase, later than the present one.</param>
    /// <param name="delays">Receives the delays that the caller is to complete.</param>
    /// <param name="timers">Receives the provider timers that the caller is to hand to the clock; filled at disposal only.</param>
    internal void EndPhase(ServicePhase phase, List<DelayEntry> delays, List<ProviderTimer> timers)
    {
        _lock.Enter();
        try
        {
            _phase = phase > _phase ? phase : _phase;
            CloseRecentTimeLocked();
            foreach (var entry in _wheel.Entries().ToList())
            {
                EndLocked(entry, phase == ServicePhase.Disposed, delays, timers);
            }

            if (phase == ServicePhase.Disposed)
            {
                _freeCallbacks.Clear();
                _freeDelays.Clear();
                _freeObservedDelays.Clear();
                Service = null;
            }
        }
        finally
        {
            _lock.Exit();
        }
    }

    internal void AddTo(ref CollectionCounts counts)
    {
        _lock.Enter();
        UnlinkCancelledElsewhereLocked();

        // The owner counts on without the lock, so ends are read before beginnings.
        var cancelled = _cancelled + _cancelledHere.Total + _ownDelays.Cancelled;
        var scheduled = _scheduled + _ownDelays.Started;
        counts.Pending += scheduled - _expired - _skipped - cancelled - _dropped - _handedOver;
        counts.Scheduled += scheduled;
        counts.Cancelled += cancelled;
        counts.Skipped += _skipped;
        counts.Dropped += _dropped;
        counts.HandedOver += _handedOver;
        _lock.Exit();
    }

    private void EndLocked(TimerEntry entry, bool everything, List<DelayEntry> delays, List<ProviderTimer> timers)
    {
        switch (entry)
        {
            case DelayEntry delay when delay.TryStopLocked(everything):
                _wheel.Remove(delay);
                _cancelled++;
                delays.Add(delay);
                break;
            case DelayEntry delay:
                UnlinkEndedLocked(delay);
                break;
            case ProviderTimer timer when everything:
                _wheel.Remove(timer);
                _handedOver++;
                timers.Add(timer);
                break;
            case CallbackEntry or ServiceTimer when everything && Unsafe.As<CollectionEntry>(entry).TryEndLocked():
                _wheel.Remove(entry);
                _dropped++;
                break;
        }
    }

    private TimerEntry? Pop(ref EntryStack free)
    {
        if (free.Count == 0)
        {
            return null;
        }

        var me = Scheduler;
        EnterOpen(me);
        var entry = free.TryPop();
        _lock.Exit(me);
        return entry;
    }

    /// <summary>Finds an entry for a new life. It may be linked already, to be moved.</summary>
    private CallbackEntry? TakeEntryLocked()
    {
        if (_cancelledHere.TryTake() is { } cancelled)
        {
            return cancelled;
        }

        if (_freeCallbacks.TryPop() is { } free)
        {
            return Unsafe.As<CallbackEntry>(free);
        }

        var entry = CancelledElsewhere.TakeLocked();
        _cancelled += entry is null ? 0 : 1;
        return entry;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnlinkCancelledHere()
    {
        _lock.Enter(_ownerId);
        while (_cancelledHere.TryTake() is { } entry)
        {
            UnlinkCancelledLocked(entry);
        }

        _lock.Exit(_ownerId);
    }

    // Rarely needed, except where all share the collection: there what is linked is pending, as its order demands.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnlinkCancelled(CallbackEntry entry)
    {
        var me = Environment.CurrentManagedThreadId;
        _lock.Enter(me);
        _cancelled++;
        UnlinkCancelledLocked(entry);
        UnlinkCancelledElsewhereLocked();
        _lock.Exit(me);
    }

    private void UnlinkCancelledElsewhereLocked()
    {
        while (CancelledElsewhere.TakeLocked() is { } entry)
        {
            _cancelled++;
            UnlinkCancelledLocked(entry);
        }
    }

    private void UnlinkCancelledLocked(CallbackEntry entry)
    {
        // It may have expired meanwhile, to no effect.
        if (entry.IsLinked)
        {
            _wheel.Remove(entry);
        }

        ReleaseLocked(entry);
    }

    private void CountAndExit(long deadlineTick, int me)
    {
        AssertHeld();
        var scheduled = ++_scheduled;
        if (deadlineTick < _earliestTick)
        {
            AnnounceAndExit(deadlineTick, me);
            return;
        }

        _lock.Exit(me);
        if (scheduled % Stretch == 0)
        {
            EndStretch();
        }
    }

    /// <summary>Has the driver wake by a tick that is before all others of the collection.</summary>
    private void AnnounceAndExit(long deadlineTick, int me)
    {
        Volatile.Write(ref _earliestTick, deadlineTick);
        _lock.Exit(me);

        // Publish the deadline first, then look at the driver. The driver does the reverse: it announces its next wake-up,
        // then looks at every collection. At least one of us sees the other, so no timer waits beside a sleeping driver.
        // The fence must be full: release and acquire alone would let both reads pass both writes.
        Interlocked.MemoryBarrier();
        Service?.Driver.WakeNoLaterThan(deadlineTick);
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
}

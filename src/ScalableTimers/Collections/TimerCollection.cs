using System.Diagnostics;
using System.Runtime.CompilerServices;
using ScalableTimers.Driving;
using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <summary>The timers scheduled by one thread: a wheel, the lock that guards it, and the entries to be used again.</summary>
/// <remarks>
/// <para>
/// A thread schedules into a collection of its own, so the lock is free and its cache lines are near. Any thread may cancel, the
/// driver expires, and a thread that ends leaves its collection to a new one; all of them take the same lock, so which thread a
/// collection belongs to matters for speed only.
/// </para>
/// <para>
/// Cancelling unlinks at once: what is linked is pending. Expiring works in bounded steps and lets go of the lock between them, so
/// that cancelling from another thread does not wait for a long one.
/// </para>
/// </remarks>
internal sealed class TimerCollection
{
    // Guards
    //   _wheel, the free lists, _phase, counters   _lock
    //   _earliestTick    _lock (written); the driver reads it without
    //   Service, Owner   written by the registry under its gate; Service becomes null once, at disposal
    //   entry links, places and versions           _lock of the entry's collection
    //
    // Invariants whenever _lock is free
    //   I1  No entry above the due slot of _wheel has a deadline at or before the wheel's current tick.
    //   I2  If _wheel is not empty, the driver will wake no later than its earliest tick, or is awake and has yet to look,
    //       or the thread that lowered _earliestTick is about to wake it.
    //   I3  An entry is linked into at most one slot, or free, or in the hands of one thread.
    //
    // I2 may be pessimistic: cancelling does not raise _earliestTick. Waking early costs one empty look.

    /// <summary>How many entries are looked at before the lock is let go, some 10 µs. Cross-thread cancels wait no longer than this.</summary>
    private const int ExpiryBudget = 128;

    private const int MaxFreeEntries = 4096;

    private readonly ReentrantInterlockedLock _lock = new();
    private readonly TimerWheel _wheel;
    private long _earliestTick = TimerWheel.Never;
    private CallbackEntry? _freeCallbacks;
    private int _freeCallbackCount;
    private DelayEntry? _freeDelays;
    private int _freeDelayCount;
    private ServicePhase _phase;
    private long _scheduled;
    private long _cancelled;
    private long _dropped;
    private long _handedOver;

    public TimerCollection(TimerService service, Thread owner, ServicePhase phase, long startTick)
    {
        Service = service;
        Owner = owner;
        _phase = phase;
        _wheel = new TimerWheel(startTick);
    }

    /// <summary>The service, or null once it has been disposed.</summary>
    internal TimerService? Service { get; private set; }

    internal Thread Owner { get; set; }

    /// <summary>No later than the deadline of any entry. May be read without the lock.</summary>
    internal long EarliestTick => Volatile.Read(ref _earliestTick);

    internal ScheduledTimer Schedule(TimerCallback callback, object? state, long deadlineTick)
    {
        EnterOpen();
        var entry = _freeCallbacks;
        if (entry is not null)
        {
            _freeCallbacks = Unsafe.As<CallbackEntry>(entry.Older);
            entry.Older = null;
            _freeCallbackCount--;
        }
        else
        {
            // Nothing that can fail is done under the lock, and an allocation can.
            _lock.Exit();
            entry = new CallbackEntry(this);
            EnterOpen();
        }

        entry.Arm(callback, state);
        var timer = new ScheduledTimer(entry, entry.Version);
        LinkAndExit(entry, deadlineTick);
        return timer;
    }

    internal bool Cancel(CallbackEntry entry, long version)
    {
        _lock.Enter();
        if (entry.Version != version)
        {
            _lock.Exit();
            return false;
        }

        _wheel.Remove(entry);
        _cancelled++;
        ReleaseLocked(entry);
        _lock.Exit();
        return true;
    }

    internal bool Reschedule(CallbackEntry entry, long version, long deadlineTick)
    {
        _lock.Enter();
        if (entry.Version != version)
        {
            _lock.Exit();
            return false;
        }

        _wheel.Remove(entry);
        _cancelled++;
        LinkAndExit(entry, deadlineTick);
        return true;
    }

    internal DelayEntry RentDelay()
    {
        EnterOpen();
        var entry = _freeDelays;
        if (entry is not null)
        {
            _freeDelays = Unsafe.As<DelayEntry>(entry.Older);
            entry.Older = null;
            _freeDelayCount--;
        }

        _lock.Exit();
        return entry ?? new DelayEntry(this);
    }

    /// <summary>Begins a prepared delay. It may complete before this returns.</summary>
    internal void Start(DelayEntry entry, long deadlineTick, CancellationToken token, CancellationToken scope)
    {
        _lock.Enter();
        var outcome = entry.StartLocked();
        if (outcome == DelayOutcome.None && _phase >= (entry.SurvivesStop ? ServicePhase.Disposed : ServicePhase.Stopping))
        {
            outcome = DelayOutcome.Stopped;
        }

        if (outcome == DelayOutcome.None)
        {
            LinkAndExit(entry, deadlineTick);
            return;
        }

        _lock.Exit();
        entry.Complete(outcome, token, scope);
    }

    internal void CancelDelay(DelayEntry entry, DelayOutcome outcome)
    {
        _lock.Enter();
        var isOurs = entry.TryCancelLocked(outcome);
        if (isOurs)
        {
            _wheel.Remove(entry);
            _cancelled++;
        }

        _lock.Exit();
        if (isOurs)
        {
            entry.Complete(outcome);
        }
    }

    /// <summary>Takes back an entry whose reader has read it.</summary>
    internal void Return(DelayEntry entry)
    {
        entry.Reset();
        _lock.Enter();
        if (_freeDelayCount < MaxFreeEntries && _phase != ServicePhase.Disposed)
        {
            entry.Older = _freeDelays;
            _freeDelays = entry;
            _freeDelayCount++;
        }

        _lock.Exit();
    }

    /// <summary>Enters the lock for an entry of the user's own; <see cref="LinkAndExit"/> or <see cref="Exit"/> leaves it.</summary>
    /// <returns>Whether the service still drives timers.</returns>
    internal bool Enter()
    {
        _lock.Enter();
        return _phase != ServicePhase.Disposed;
    }

    internal void Exit() => _lock.Exit();

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
    internal void LinkAndExit(CollectionEntry entry, long deadlineTick)
    {
        AssertHeld();
        _wheel.Schedule(entry, deadlineTick);
        var scheduled = ++_scheduled;
        if (deadlineTick >= _earliestTick)
        {
            _lock.Exit();
            if ((scheduled & 63) == 0)
            {
                Service?.Driver.RelieveIfStarved(this);
            }

            return;
        }

        Volatile.Write(ref _earliestTick, deadlineTick);
        _lock.Exit();

        // Publish the deadline first, then look at the driver. The driver does the reverse: it announces its next wake-up,
        // then looks at every collection. At least one of us sees the other, so no timer waits beside a sleeping driver.
        // The fence must be full: release and acquire alone would let both reads pass both writes.
        Interlocked.MemoryBarrier();
        Service?.Driver.WakeNoLaterThan(deadlineTick);
    }

    /// <summary>Re-arms an entry that has just expired. The driver is awake and will look at the earliest tick.</summary>
    internal void RelinkLocked(CollectionEntry entry, long deadlineTick)
    {
        AssertHeld();
        _wheel.Schedule(entry, deadlineTick);
        _scheduled++;
    }

    internal void ReleaseLocked(CallbackEntry entry)
    {
        AssertHeld();
        entry.Disarm();
        if (_freeCallbackCount < MaxFreeEntries)
        {
            entry.Older = _freeCallbacks;
            _freeCallbacks = entry;
            _freeCallbackCount++;
        }
    }

    /// <summary>Takes out what has expired, in one bounded step.</summary>
    /// <param name="nowTick">The tick that it is.</param>
    /// <param name="expired">Receives what is to run; need not be empty.</param>
    /// <param name="oldestTick">Lowered to the earliest deadline taken out.</param>
    /// <returns>False when nothing that is due is left.</returns>
    internal bool Expire(long nowTick, FiringBatch expired, ref long oldestTick)
    {
        _lock.Enter();
        var budget = ExpiryBudget;
        while (!expired.IsFull && _wheel.Advance(nowTick, ref budget) is { } entry)
        {
            oldestTick = Math.Min(oldestTick, entry.DeadlineTick);
            expired.Add(Unsafe.As<CollectionEntry>(entry).ExpireLocked());
        }

        var earliest = _wheel.EarliestTick;
        Volatile.Write(ref _earliestTick, earliest);
        _lock.Exit();
        return earliest <= nowTick;
    }

    /// <summary>Takes out the one entry that expires next, for a service that fires in order.</summary>
    internal bool TryExpireOne(long nowTick, out FiringItem item)
    {
        _lock.Enter();
        TimerEntry? entry;
        int budget;
        do
        {
            budget = ExpiryBudget;
            entry = _wheel.Advance(nowTick, ref budget);
        }
        while (entry is null && budget == 0);

        item = entry is null ? default : Unsafe.As<CollectionEntry>(entry).ExpireLocked();
        Volatile.Write(ref _earliestTick, _wheel.EarliestTick);
        _lock.Exit();
        return entry is not null;
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
            foreach (var entry in _wheel.Entries().ToList())
            {
                EndLocked(entry, phase == ServicePhase.Disposed, delays, timers);
            }

            if (phase == ServicePhase.Disposed)
            {
                _freeCallbacks = null;
                _freeDelays = null;
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
        counts.Pending += _wheel.Count;
        counts.Scheduled += _scheduled;
        counts.Cancelled += _cancelled;
        counts.Dropped += _dropped;
        counts.HandedOver += _handedOver;
        _lock.Exit();
    }

    private void EndLocked(TimerEntry entry, bool everything, List<DelayEntry> delays, List<ProviderTimer> timers)
    {
        switch (entry)
        {
            case DelayEntry delay when everything || !delay.SurvivesStop:
                _wheel.Remove(delay);
                _cancelled++;
                delays.Add(delay);
                break;
            case ProviderTimer timer when everything:
                _wheel.Remove(timer);
                _handedOver++;
                timers.Add(timer);
                break;
            case CallbackEntry callback when everything:
                _wheel.Remove(callback);
                _dropped++;
                callback.Disarm();
                break;
        }
    }

    private void EnterOpen()
    {
        _lock.Enter();
        if (_phase == ServicePhase.Disposed)
        {
            _lock.Exit();
            TimerService.ThrowDisposed();
        }
    }

    [Conditional("DEBUG")]
    private void AssertHeld() =>
        Debug.Assert(_lock.IsHeldByCurrentThread, "Called without _lock: another thread may be mid-change.");
}

using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <summary>
/// The timers scheduled by one thread: a wheel, the lock that guards it, and idle entries to be used again.
/// </summary>
/// <remarks>
/// <para>
/// Each thread schedules into a collection of its own, so the lock is nearly always free and its cache lines are near.
/// Any thread may cancel, the driver expires entries, and a new thread takes over the collection of a thread that has
/// ended. The lock and the entries' states work the same for all threads, so a collection's owner matters for speed
/// only.
/// </para>
/// <para>
/// Lives begin, and entries are linked, moved and unlinked, under the lock. Lives end without the lock, by one
/// compare-exchange of the entry's <see cref="EntryState"/>. A cancelled entry stays linked, to no effect, until it is
/// needed again. In the best case the next timer goes into the same slot, and nothing is linked or unlinked at all. The
/// number of ended entries that stay linked is bounded. Expiring entries, and ending them with the service, is done in
/// bounded steps. The lock is released between the steps, so no thread waits long for it.
/// </para>
/// </remarks>
internal sealed partial class TimerCollection : PaddedRemoteFields
{
    // Guards
    //   _wheel, _phase, _counts          _lock
    //   _announced                       see AnnouncedTick
    //   _cancelledByOwner                the owner writes it, others may read it
    //   _callbacks, _delays              see EntryStore
    //   Owner, _ownerId                  written by the registry under its gate; _ownerId is 0, which is no thread's
    //                                    id, if all threads share the collection
    //   Registry                         becomes null once, at disposal
    //   entry links and places           _lock of the entry's collection
    //
    // Invariants whenever _lock is free
    //   I1  No entry above the due slot of _wheel has a deadline at or before the wheel's current tick.
    //   I2  Unless the service has been disposed, _announced is no later than any deadline in _wheel, and one of these
    //       holds: the driver will wake no later than _announced; it is awake and has yet to look; the thread that
    //       lowered _announced is about to wake it; or the clock could not be set, and the next timer that is
    //       scheduled makes the driver wake by _announced.
    //   I3  An entry is linked into at most one slot. Every live entry is linked, at its own deadline.
    //   I4  A life begins under _lock only. So an entry that is not live when a thread looks at it under _lock stays so
    //       until _lock is released.
    //   I5  A linked entry that is not live is kept by the owner (EntryStore), or is in RemoteCancels, or is held by a
    //       thread that is about to put it into one of these or to unlink it. An entry in the chain of an EntryStore is
    //       not linked.
    //   I6  A delay is idle, and so free for another life, only when its result has been read and no registration can
    //       reach it.
    //
    // I2 may be pessimistic: cancelling does not raise _announced. Waking early costs one empty look.

    /// <summary>
    /// How many entries one step looks at before it releases the lock, some 10 µs. Cancels from other threads wait no
    /// longer than this.
    /// </summary>
    internal const int StepSize = 128;

    // In memory, the structs come last and in this order. A pair of schedule and cancel touches all before _delays.
    private readonly TimerWheel _wheel;
    private int _ownerId;
    private ServicePhase _phase;
    private long _cancelledByOwner;
    private EntryStore _callbacks = new();
    private ReentrantInterlockedLock _lock;
    private AnnouncedTick _announced = new();
    private CollectionCounts _counts;
    private EntryStore _delays = new();

    /// <param name="registry">The collections of the service that the timers belong to.</param>
    /// <param name="owner">The thread that schedules into the collection, unless all threads do.</param>
    /// <param name="phase">The service's phase.</param>
    /// <param name="startTick">The present tick.</param>
    public TimerCollection(CollectionRegistry registry, Thread owner, ServicePhase phase, long startTick)
        : base(registry)
    {
        Adopt(owner);
        _phase = phase;
        _wheel = new TimerWheel(startTick, isOrdered: registry.IsShared);
    }

    internal Thread Owner { get; private set; }

    /// <summary>No later than the deadline of any entry. May be read without the lock.</summary>
    internal long EarliestTick => _announced.Read();

    /// <summary>The idle entries of scheduled callbacks, which other threads may cancel without the lock.</summary>
    internal ref EntryStore Callbacks => ref _callbacks;

    /// <summary>The idle entries of delays.</summary>
    internal ref EntryStore Delays => ref _delays;

    /// <summary>The service's phase. Read under the lock.</summary>
    internal ServicePhase Phase => _phase;

    /// <summary>
    /// Whether the calling thread is the owner. It is also false for an owner that has just used another service. The
    /// collection then treats the owner like any other thread, which is just as correct.
    /// </summary>
    internal bool IsCalledByOwner => CollectionRegistry.IsLastUsed(this) && _ownerId != 0;

    /// <summary>
    /// The id of the thread that schedules: the owner's, or the calling thread's if all threads share the collection.
    /// </summary>
    internal int Scheduler => _ownerId == 0 ? Environment.CurrentManagedThreadId : _ownerId;

    /// <summary>
    /// Gives the collection to a thread: its first owner, or one that takes it over from an ended thread.
    /// </summary>
    [MemberNotNull(nameof(Owner))]
    internal void Adopt(Thread owner)
    {
        Owner = owner;
        _ownerId = IsShared ? 0 : owner.ManagedThreadId;
    }

    /// <summary>
    /// Takes back the entry of a callback that the calling thread has cancelled, to unlink it and use it again.
    /// </summary>
    internal void TakeBackCancelled(PooledEntry entry)
    {
        if (IsCalledByOwner)
        {
            CountCancelledByOwner();
            Keep(entry, ref _callbacks);
        }
        else if (IsShared || !RemoteCancels.TryAdd(entry))
        {
            UnlinkCancelled(entry);
        }
    }

    /// <summary>
    /// The deadline of a timer that starts now. Called without the lock, because the clock may be user code.
    /// </summary>
    internal long DeadlineTick(TimeSpan dueTime) =>
        dueTime == Timeout.InfiniteTimeSpan ? TimerWheel.Never : Clock.DeadlineTick(dueTime);

    /// <summary>
    /// Enters the lock. <see cref="Exit"/> releases it, and so does each method whose name ends in AndExit.
    /// </summary>
    /// <param name="me">The calling thread's <see cref="Environment.CurrentManagedThreadId"/>.</param>
    /// <returns>Whether the service still drives timers.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool Enter(int me)
    {
        _lock.Enter(me);
        return _phase != ServicePhase.Disposed;
    }

    /// <summary>Enters the lock of a collection whose service still drives timers.</summary>
    /// <exception cref="ObjectDisposedException">The service has been disposed. The lock is free.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void EnterOpen(int me)
    {
        _lock.Enter(me);
        if (_phase == ServicePhase.Disposed)
        {
            _lock.Exit(me);
            CollectionRegistry.ThrowDisposed();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
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
            _counts.Cancelled++;
        }
    }

    /// <summary>
    /// Links an entry and makes sure that the driver wakes for it. The lock is held before and free afterwards.
    /// </summary>
    internal void LinkAndExit(CollectionEntry entry, long deadlineTick, int me)
    {
        AssertHeld();
        _wheel.Schedule(entry, deadlineTick);
        CountAndExit(deadlineTick, me);
    }

    /// <summary>
    /// Links an entry that begins a life, or moves it if it is still linked from an earlier life. The lock is held
    /// before and free afterwards.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void LinkOrMoveAndExit(PooledEntry entry, long deadlineTick, int me)
    {
        AssertHeld();
        _wheel.ScheduleOrMove(entry, deadlineTick);
        CountAndExit(deadlineTick, me);
    }

    /// <summary>Moves a live entry to another deadline. The lock is held before and free afterwards.</summary>
    internal void MoveAndExit(PooledEntry entry, long deadlineTick, int me)
    {
        // Another thread may cancel the entry from now on. Then the move has no effect (I4).
        AssertHeld();
        if (IsShared)
        {
            // A shared collection fires entries with the same deadline in the order in which they were scheduled.
            _wheel.Remove(entry);
        }

        _wheel.ScheduleOrMove(entry, deadlineTick);
        _counts.Cancelled++;
        CountAndExit(deadlineTick, me);
    }

    /// <summary>Links an entry that is due. The lock is held before and free afterwards.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="nowTick">The present tick as the caller knows it. The wheel may have advanced further.</param>
    /// <param name="me">The calling thread's <see cref="Environment.CurrentManagedThreadId"/>.</param>
    internal void LinkDueAndExit(CollectionEntry entry, long nowTick, int me) =>
        LinkAndExit(entry, Math.Max(nowTick, _wheel.CurrentTick), me);

    /// <summary>
    /// Re-arms an entry that has just expired. The driver is awake and will look at the earliest tick.
    /// </summary>
    internal void RelinkLocked(CollectionEntry entry, long deadlineTick)
    {
        AssertHeld();
        _wheel.Schedule(entry, deadlineTick);
        _counts.Scheduled++;
    }

    /// <summary>
    /// Counts firings that are left out: of periods that were over before they were scheduled, of an expired entry, or
    /// of an entry that will be linked again instead.
    /// </summary>
    internal void LeaveOutLocked(long missed = 0, int skipped = 0, int postponed = 0)
    {
        AssertHeld();
        _counts.Scheduled += missed;
        _counts.Skipped += missed + skipped;
        _counts.Cancelled += postponed;
    }

    /// <summary>Counts a timer that the owner has cancelled without the lock. Called by the owner.</summary>
    internal void CountCancelledByOwner() => Volatile.Write(ref _cancelledByOwner, _cancelledByOwner + 1);

    /// <summary>Counts a cancelled timer and unlinks its entry.</summary>
    internal void UnlinkCancelledLocked(PooledEntry entry)
    {
        AssertHeld();
        _counts.Cancelled++;
        UnlinkEndedLocked(entry);
    }

    /// <summary>Unlinks an entry that is not live, if it is linked.</summary>
    /// <remarks>No thread links it meanwhile (I4). It may have been unlinked when it expired, to no effect.</remarks>
    internal void UnlinkEndedLocked(PooledEntry entry)
    {
        AssertHeld();
        if (entry.IsLinked)
        {
            _wheel.Remove(entry);
        }
    }

    /// <summary>Keeps an entry, which may still be linked, for another life. Called by the owner.</summary>
    /// <param name="entry">An entry whose life has ended.</param>
    /// <param name="store">The store of its kind.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Keep(PooledEntry entry, ref EntryStore store)
    {
        while (!store.TryKeep(entry))
        {
            UnlinkKept(ref store);
        }
    }

    /// <summary>Unlinks an entry whose life has ended, and keeps it for another one.</summary>
    internal void UnlinkAndReleaseLocked(PooledEntry entry, ref EntryStore store)
    {
        AssertHeld();
        UnlinkEndedLocked(entry);
        if (_phase != ServicePhase.Disposed)
        {
            store.PushLocked(entry);
        }
    }

    /// <summary>Finds an entry for a new callback. The entry may still be linked; then the caller moves it.</summary>
    internal PooledEntry? TakeCallbackLocked()
    {
        AssertHeld();
        var known = _callbacks.TryTake() ?? _callbacks.TryPopLocked();
        if (known is not null)
        {
            return known;
        }

        var cancelled = RemoteCancels.TakeLocked();
        _counts.Cancelled += cancelled is null ? 0 : 1;
        return cancelled;
    }

    /// <summary>Takes out expired entries in one bounded step.</summary>
    /// <param name="nowTick">The present tick.</param>
    /// <param name="expired">Receives what is to run. It need not be empty.</param>
    /// <param name="oldestTick">Lowered to the earliest deadline taken out.</param>
    /// <returns>False when nothing that is due is left.</returns>
    internal bool Expire(long nowTick, FiringBatch expired, ref long oldestTick)
    {
        _lock.Enter();
        var budget = _phase == ServicePhase.Disposed ? 0 : StepSize;
        while (!expired.IsFull && _wheel.Advance(nowTick, ref budget) is { } entry)
        {
            var deadlineTick = entry.DeadlineTick;
            if (Unsafe.As<CollectionEntry>(entry).TryExpireLocked(nowTick, out var item))
            {
                oldestTick = Math.Min(oldestTick, deadlineTick);
                expired.Add(item, deadlineTick);
                _counts.Expired++;
            }
        }

        var earliest = PublishEarliestLocked();
        Exit(Environment.CurrentManagedThreadId);
        return earliest <= nowTick;
    }

    /// <summary>Takes out the one entry that expires next, for a service that fires in order.</summary>
    internal bool TryExpireOne(long nowTick, out FiringItem item, out long deadlineTick)
    {
        _lock.Enter();
        item = default;
        deadlineTick = 0;
        var isExpired = false;
        if (_phase != ServicePhase.Disposed)
        {
            TimerEntry? entry;
            int budget;
            do
            {
                budget = StepSize;
                entry = _wheel.Advance(nowTick, ref budget);
                deadlineTick = entry?.DeadlineTick ?? 0;
                isExpired = entry is not null && Unsafe.As<CollectionEntry>(entry).TryExpireLocked(nowTick, out item);
            }
            while (!isExpired && (entry is not null || budget == 0));
        }

        _counts.Expired += isExpired ? 1 : 0;
        PublishEarliestLocked();
        Exit(Environment.CurrentManagedThreadId);
        return isExpired;
    }

    /// <summary>
    /// Makes the collection announce the next timer, whatever its deadline, because the driver may not wake for the
    /// timers announced so far.
    /// </summary>
    internal void AnnounceNext()
    {
        _lock.Enter();
        _announced.TellNextLocked();
        Exit(Environment.CurrentManagedThreadId);
    }

    /// <summary>Enters a later phase. From then on nothing begins that would end with it.</summary>
    internal void EnterPhase(ServicePhase phase)
    {
        _lock.Enter();
        _phase = phase > _phase ? phase : _phase;
        PublishEarliestLocked();
        Exit(Environment.CurrentManagedThreadId);
    }

    /// <summary>
    /// One step of a walk. It ends and unlinks some of the entries that end with a phase that has been entered.
    /// </summary>
    /// <param name="phase">The phase.</param>
    /// <param name="sweep">How far the walk has come.</param>
    /// <param name="ended">
    /// Receives the ended entries, <see cref="StepSize"/> at most. The caller must finish them without the lock.
    /// </param>
    /// <param name="cancelled">Raised by the number of entries that count as cancelled.</param>
    /// <returns>How many entries have ended.</returns>
    internal int EndSome(ServicePhase phase, WheelSweep sweep, CollectionEntry[] ended, ref int cancelled)
    {
        var count = 0;
        _lock.Enter();
        for (var budget = StepSize; budget > 0 && _wheel.Next(sweep) is { } entry; budget--)
        {
            var found = Unsafe.As<CollectionEntry>(entry);
            var end = found.EndWithServiceLocked(phase);
            if (end != ServiceEnd.None)
            {
                _wheel.Remove(found);
                ended[count++] = found;
                _counts.CountEnd(end);
                cancelled += end == ServiceEnd.Cancelled ? 1 : 0;
            }
        }

        Exit(Environment.CurrentManagedThreadId);
        return count;
    }

    /// <summary>One step of a walk that reads what is pending.</summary>
    /// <param name="sweep">How far the walk has come.</param>
    /// <param name="found">Receives what is read.</param>
    /// <returns>How many entries have been read.</returns>
    internal int ReadSome(WheelSweep sweep, Span<PendingEntry> found)
    {
        var count = 0;
        _lock.Enter();
        for (var budget = StepSize; budget > 0 && count < found.Length && _wheel.Next(sweep) is { } entry; budget--)
        {
            count += Unsafe.As<CollectionEntry>(entry).TryReadLocked(out found[count]) ? 1 : 0;
        }

        Exit(Environment.CurrentManagedThreadId);
        return count;
    }

    /// <summary>Ends a walk that need not be over.</summary>
    internal void Leave(WheelSweep sweep)
    {
        _lock.Enter();
        if (sweep.Marker.IsLinked)
        {
            _wheel.Remove(sweep.Marker);
        }

        Exit(Environment.CurrentManagedThreadId);
    }

    /// <summary>
    /// The last step of the walk at disposal. It drops the references to the service and to idle entries.
    /// </summary>
    /// <remarks>
    /// Without the lock: every thread that has entered it since the last phase has found that phase, and neither keeps
    /// nor takes idle entries.
    /// </remarks>
    internal void Close()
    {
        _callbacks.ClearFree();
        _delays.ClearFree();
        Registry = null;
    }

    /// <summary>Counts the timers by what has become of them so far.</summary>
    internal CollectionCounts Count()
    {
        _lock.Enter();
        UnlinkRemoteCancelsLocked();
        var counts = _counts;

        // The owner goes on counting the timers that it cancels. It counted each of them as scheduled before, under the
        // lock.
        counts.Cancelled += Volatile.Read(ref _cancelledByOwner);
        Exit(Environment.CurrentManagedThreadId);
        return counts;
    }

    private void CountAndExit(long deadlineTick, int me)
    {
        AssertHeld();
        _counts.Scheduled++;
        if (_announced.NeedsToTell(deadlineTick))
        {
            AnnounceAndExit(deadlineTick, me);
        }
        else
        {
            Exit(me);
        }
    }

    /// <summary>
    /// Makes the driver wake by a deadline that is the collection's earliest, or by the published tick if that is
    /// earlier and the driver might not wake by it.
    /// </summary>
    private void AnnounceAndExit(long deadlineTick, int me)
    {
        var tick = _announced.LowerLocked(deadlineTick);
        Exit(me);
        AnnouncedTick.Tell(Registry?.Driver, tick);
    }

    private long PublishEarliestLocked()
    {
        AssertHeld();
        var earliest = _phase == ServicePhase.Disposed ? TimerWheel.Never : _wheel.EarliestTick;
        _announced.PublishLocked(earliest);
        return earliest;
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

    // Rarely needed, except in a shared collection. There every linked entry must be live, because the order demands
    // it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnlinkCancelled(PooledEntry entry)
    {
        var me = Environment.CurrentManagedThreadId;
        _lock.Enter(me);
        _counts.Cancelled++;
        UnlinkAndReleaseLocked(entry, ref _callbacks);
        UnlinkRemoteCancelsLocked();
        Exit(me);
    }

    private void UnlinkRemoteCancelsLocked()
    {
        AssertHeld();
        while (RemoteCancels.TakeLocked() is { } entry)
        {
            _counts.Cancelled++;
            UnlinkAndReleaseLocked(entry, ref _callbacks);
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
            _phase == ServicePhase.Disposed || _announced.IsNoLaterThan(_wheel.EarliestTickAtMost),
            "I2: the published tick is later than a deadline, so the driver would oversleep.");
    }
}

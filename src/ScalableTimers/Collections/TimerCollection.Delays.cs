using System.Runtime.CompilerServices;
using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <content>
/// Delays: where the owner starts and cancels them, both are one compare-exchange of the entry's <see cref="DelayLife"/>, and the
/// entry stays linked in between. It lies where its first life put it, which is no later than where it should be; when that place
/// expires, an entry that lives is moved on and one that does not is let go. What the owner has left linked is bounded.
/// </content>
internal sealed partial class TimerCollection
{
    /// <summary>Called by the owner, or by any thread if all share the collection.</summary>
    internal DelayEntry RentDelay(DelayObserver? observer)
    {
        if (observer is not null)
        {
            var observed = Pop(ref _freeObservedDelays) is { } free ? Unsafe.As<ObservedDelay>(free) : new ObservedDelay(this);
            observed.Observer = observer;
            return observed;
        }

        // Shared ones are kept in the pool.
        return _ownDelays.TryTake() ?? Unsafe.As<DelayEntry?>(Pop(ref _freeDelays)) ?? new DelayEntry(this);
    }

    /// <summary>Begins a prepared delay. It may complete before this returns.</summary>
    /// <param name="entry">The delay, not yet given to anybody.</param>
    /// <param name="options">Its kind.</param>
    /// <param name="dueTime">How long, or infinite.</param>
    /// <param name="now">The time that it counts from; <see cref="FromRecent"/> for any that is right.</param>
    /// <param name="token">What it was prepared with.</param>
    /// <param name="scope">What else it was prepared with.</param>
    internal void Start(DelayEntry entry, DelayOptions options, TimeSpan dueTime, long now, CancellationToken token, CancellationToken scope)
    {
        if (options == DelayOptions.ReportCancellation && token.CanBeCanceled && !scope.CanBeCanceled && !entry.IsObserved)
        {
            options |= DelayOptions.EndsLightly;
        }

        if (now == FromRecent)
        {
            now = TimeFor(dueTime);
        }

        if (TryBeginLinked(entry, options, dueTime, now))
        {
            if (_ownDelays.CountStarted() % Stretch == 0)
            {
                EndStretch();
            }
        }
        else if (!TryLink(entry, options, dueTime, now))
        {
            entry.Complete(DelayOutcome.Stopped, token, scope);
            return;
        }

        // A cancellation that found it not yet begun has left it alone. It had marked its token before it looked at the entry, and here
        // the entry was marked before the token is looked at, both with a full fence between: one of the two sees the other.
        if (token.IsCancellationRequested)
        {
            CancelAtStart(entry, DelayOutcome.CancelledByToken, token, scope);
        }
        else if (scope.IsCancellationRequested)
        {
            CancelAtStart(entry, DelayOutcome.CancelledByScope, token, scope);
        }
    }

    /// <summary>Called by the registrations of a delay.</summary>
    internal void CancelDelay(DelayEntry entry, DelayOutcome outcome)
    {
        if (TryEndDelay(entry, mayBeLight: true, out var isLight) && !isLight)
        {
            entry.CompleteCancelled(outcome);
        }
    }

    /// <summary>Takes back an entry whose reader has read it.</summary>
    internal void Return(DelayEntry entry)
    {
        entry.Reset();
        if (IsCalledByOwner && !entry.IsObserved && _ownDelays.TryKeep(entry))
        {
            return;
        }

        // When many end at once most are left to the garbage collector, and need not wait for one another and for the driver first.
        ref var free = ref entry.IsObserved ? ref _freeObservedDelays : ref _freeDelays;
        if (free.Count >= MaxFreeEntries && !entry.MayBeLinked)
        {
            return;
        }

        var me = Environment.CurrentManagedThreadId;
        _lock.Enter(me);
        UnlinkEndedLocked(entry);
        _ = _phase != ServicePhase.Disposed && free.TryPush(entry, MaxFreeEntries);
        _lock.Exit(me);
    }

    /// <summary>Begins a delay where its entry is linked already, without the lock.</summary>
    private bool TryBeginLinked(DelayEntry entry, DelayOptions options, TimeSpan dueTime, long now)
    {
        // The phase may change meanwhile. Whoever changes it goes through all that is linked afterwards: there it finds this one
        // begun and ends it, or says first that it is not linked, and then it does not begin here. The same holds for the recent time: who
        // closes it finds this one noted, and postpones it, or unlinks what has not begun. So the word is read before anything else.
        var word = entry.ReadLife();
        if (_phase != ServicePhase.Running || IsShared)
        {
            return false;
        }

        long deadlineTick;
        if (now != FromRecent)
        {
            deadlineTick = dueTime == Timeout.InfiniteTimeSpan ? TimerWheel.Never : Clock.DeadlineTick(now + Clock.ToUnits(dueTime));
        }
        else if (_recent.TryGet(out var time))
        {
            deadlineTick = Clock.DeadlineTick(time + Clock.ToUnits(dueTime));
            if (!_recent.TryNote(entry, deadlineTick))
            {
                return false;
            }
        }
        else
        {
            deadlineTick = Clock.DeadlineTick(Clock.DueAt(dueTime));
        }

        return deadlineTick >= entry.DeadlineTick && entry.TryBeginLinked(word, options, deadlineTick);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryLink(DelayEntry entry, DelayOptions options, TimeSpan dueTime, long now)
    {
        var me = Scheduler;
        _lock.Enter(me);
        if (_phase >= ((options & DelayOptions.SurvivesStop) != 0 ? ServicePhase.Disposed : ServicePhase.Stopping))
        {
            entry.SkipLocked(options);
            _lock.Exit(me);
            return false;
        }

        var deadlineTick = DeadlineTickLocked(entry, dueTime, now);
        entry.BeginLocked(options, deadlineTick);
        _wheel.ScheduleOrMove(entry, deadlineTick);
        CountAndExit(deadlineTick, me);
        return true;
    }

    // Its registration is not spent: the callback may be on its way still.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void CancelAtStart(DelayEntry entry, DelayOutcome outcome, CancellationToken token, CancellationToken scope)
    {
        if (TryEndDelay(entry, mayBeLight: false, out _))
        {
            entry.Complete(outcome, token, scope);
        }
    }

    // If it ends lightly its reader may have read it, and its next life begun, before this returns.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryEndDelay(DelayEntry entry, bool mayBeLight, out bool isLight)
    {
        if (!IsCalledByOwner)
        {
            return TryEndAndUnlink(entry, mayBeLight, out isLight);
        }

        if (!entry.TryEnd(mayBeLight, out isLight))
        {
            return false;
        }

        _ownDelays.CountCancelled();
        if (!_ownDelays.TryLeave(entry))
        {
            UnlinkLeft(entry);
        }

        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryEndAndUnlink(DelayEntry entry, bool mayBeLight, out bool isLight)
    {
        var me = Environment.CurrentManagedThreadId;
        _lock.Enter(me);
        var isOurs = entry.TryEnd(mayBeLight, out isLight);
        if (isOurs)
        {
            _cancelled++;
            UnlinkEndedLocked(entry);
        }

        _lock.Exit(me);
        return isOurs;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnlinkLeft(DelayEntry last)
    {
        _lock.Enter(_ownerId);
        UnlinkEndedLocked(last);
        while (_ownDelays.TryTakeLeft() is { } entry)
        {
            UnlinkEndedLocked(entry);
        }

        _lock.Exit(_ownerId);
    }

    private void UnlinkEndedLocked(DelayEntry entry)
    {
        AssertHeld();
        if (entry.TryUnlinkLocked())
        {
            _wheel.Remove(entry);
        }
    }
}

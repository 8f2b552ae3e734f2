using System.Runtime.CompilerServices;
using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <content>
/// From when a due time counts: from now by the clock, or, if it is long and the owner schedules without a pause, from a
/// <see cref="RecentTime"/>. Reading the clock costs as much as everything else that scheduling and cancelling do.
/// </content>
internal sealed partial class TimerCollection
{
    /// <summary>Due times of at least this many ticks may count from a recent time. What it adds is less than half a per cent of them.</summary>
    internal const int LongDueTimeTicks = 256;

    /// <summary>In place of a time: count from the recent one, if there is one.</summary>
    internal const long FromRecent = -1;

    /// <summary>How many timers the owner schedules from one look at the clock to the next.</summary>
    private const int Stretch = 64;

    // A stretch is short if as many as this go into a tick. Then a tick sees 4,096 timers, and reading the clock for each would cost what it
    // costs to have the driver look once a tick, 40 to 85 µs. The recent time is ahead for two such stretches.
    private const int ShortStretchesPerTick = 64;
    private const int RecentTimesPerTick = 32;

    private readonly long _longDueTime;
    private RecentTime _recent;
    private long _stretchBeganAt;

    /// <summary>Called before the lock is entered, because a clock may be the user's own: the time, unless it need not be known.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal long TimeFor(TimeSpan dueTime) => dueTime.Ticks >= _longDueTime && _recent.IsOpen ? FromRecent : Clock.Now();

    /// <summary>When a timer is due, in clock units.</summary>
    /// <param name="timer">The timer, which will be linked accordingly before the lock is free.</param>
    /// <param name="dueTime">Not negative.</param>
    /// <param name="now">What <see cref="TimeFor"/> has returned.</param>
    internal long DueAtLocked(RepeatingEntry timer, TimeSpan dueTime, long now)
    {
        AssertHeld();
        if (!TryGetRecent(now, out var time))
        {
            return time + Clock.ToUnits(dueTime);
        }

        var dueAt = time + Clock.ToUnits(dueTime);
        _recent.NoteTimer(timer, Clock.DeadlineTick(dueAt));
        return dueAt;
    }

    /// <summary>Links a living entry elsewhere.</summary>
    internal void MoveLocked(CollectionEntry entry, long deadlineTick)
    {
        AssertHeld();
        _wheel.ScheduleOrMove(entry, deadlineTick);
    }

    /// <summary>Takes an entry from its place, and counts nothing.</summary>
    internal void UnplaceLocked(CollectionEntry entry)
    {
        AssertHeld();
        _wheel.Remove(entry);
    }

    private long DeadlineTickLocked(CollectionEntry entry, TimeSpan dueTime, long now)
    {
        if (dueTime == Timeout.InfiniteTimeSpan)
        {
            return TimerWheel.Never;
        }

        var isRecent = TryGetRecent(now, out var time);
        var deadlineTick = Clock.DeadlineTick(time + Clock.ToUnits(dueTime));
        if (isRecent)
        {
            _recent.Note(entry, deadlineTick);
        }

        return deadlineTick;
    }

    /// <summary>From when to count, under the lock.</summary>
    /// <returns>Whether it is the recent time, and what counts from it is to be noted.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryGetRecent(long now, out long time)
    {
        time = now;
        if (now != FromRecent)
        {
            return false;
        }

        if (IsCalledByOwner && _recent.TryGet(out time))
        {
            return true;
        }

        // Closed since it was asked for, or full. Only the system's clock has recent times, so this calls no user's code.
        time = Clock.Now();
        return false;
    }

    /// <summary>Called without the lock after each stretch: has a look at the clock.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EndStretch()
    {
        if (IsShared)
        {
            return;
        }

        var now = Clock.Now();
        Service?.Driver.RelieveIfStarved(this, now);
        if (_longDueTime == long.MaxValue || !IsCalledByOwner)
        {
            return;
        }

        var isShort = (now - _stretchBeganAt) * ShortStretchesPerTick <= Clock.UnitsAt(1);
        _stretchBeganAt = now;
        if (isShort || _recent.IsOpen)
        {
            ChangeRecentTime(now, isShort);
        }
    }

    private void ChangeRecentTime(long now, bool opens)
    {
        // The driver closes it at the beginning of the next tick, if the owner has gone by then.
        var closingTick = Clock.TickAt(now) + 1;
        _lock.Enter(_ownerId);
        if (_recent.IsOpen)
        {
            // All that has used it is the owner's, and came before it read the clock.
            PostponeNotedLocked(now - _recent.Close());
        }

        opens &= _phase != ServicePhase.Disposed;
        if (opens)
        {
            _recent.Open(now + (Clock.UnitsAt(1) / RecentTimesPerTick));
        }

        if (!opens || closingTick >= _earliestTick)
        {
            _lock.Exit(_ownerId);
            return;
        }

        AnnounceAndExit(closingTick, _ownerId);
    }

    /// <summary>Ends the use of the recent time, before anything that has counted from it can expire.</summary>
    private void CloseRecentTimeLocked()
    {
        AssertHeld();
        if (_recent.IsOpen)
        {
            var time = _recent.Close();
            PostponeNotedLocked(Clock.Now() - time);
        }
    }

    /// <param name="late">By how much the clock has passed the recent time.</param>
    private void PostponeNotedLocked(long late)
    {
        for (var i = 0; late > 0 && i < _recent.Count; i++)
        {
            var noted = _recent.Noted(i);
            noted.Entry?.PostponeLocked(noted.DeadlineTick, late);
        }

        _recent.LetGo();
    }
}

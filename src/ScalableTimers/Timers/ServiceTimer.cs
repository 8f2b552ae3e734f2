using System.Diagnostics;
using ScalableTimers.Clock;
using ScalableTimers.Collections;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Timers;

/// <summary>
/// A timer of <see cref="TimerService.CreateTimer"/>. It can tolerate lateness to share wake-ups, and need not overlap
/// itself.
/// </summary>
/// <remarks>The timer ends with its service, like a scheduled callback.</remarks>
internal sealed class ServiceTimer : RepeatingEntry
{
    // Guards
    //   _isFiring, _isOwed   Collection's lock
    //
    // _isFiring is true from expiry until the callback has returned. So a firing that is waiting for the pool counts as
    // running too.
    private readonly long _tolerance;
    private readonly bool _mayOverlap;
    private bool _isFiring;
    private bool _isOwed;

    /// <param name="collection">The creating thread's collection.</param>
    /// <param name="callback">The callback.</param>
    /// <param name="state">The object to pass to the callback.</param>
    /// <param name="options">Valid options.</param>
    public ServiceTimer(TimerCollection collection, TimerCallback callback, object? state, PeriodicTimerOptions options)
        : base(collection, callback, state)
    {
        _tolerance = Clock.ToTimestampDuration(options.Tolerance);
        _mayOverlap = options.Overlap == TimerOverlap.Allow;
    }

    protected override bool OutlivesService => false;

    internal override bool TryExpireLocked(long nowTick, out FiringItem item)
    {
        item = new FiringItem(this);
        Collection.LeaveOutLocked(missed: RelinkLocked(nowTick));
        if (_mayOverlap || !_isFiring)
        {
            _isFiring = true;
            return true;
        }

        if (IsArmed)
        {
            Collection.LeaveOutLocked(skipped: 1);
        }
        else
        {
            // This firing is the last, for example because a callback has changed its own timer and is still running.
            // Skipping it would stop the timer for good. It fires when the callback has returned.
            _isOwed = true;
            Collection.LeaveOutLocked(postponed: 1);
        }

        return false;
    }

    internal override ServiceEnd EndWithServiceLocked(ServicePhase phase)
    {
        if (phase != ServicePhase.Disposed)
        {
            return ServiceEnd.None;
        }

        EndLocked();
        return ServiceEnd.Dropped;
    }

    protected override long ChooseTick(long dueAt, long period)
    {
        var first = Clock.DeadlineTick(dueAt);
        if (_tolerance == 0)
        {
            return first;
        }

        // Rounded down, because lateness is tolerated only up to that point. Also before the next moment, which would
        // otherwise be lost.
        var last = Clock.TickAt(Sum(dueAt, _tolerance));
        if (period != 0)
        {
            last = Math.Min(last, Clock.DeadlineTick(Sum(dueAt, period)) - 1);
        }

        return TickWindow.MostAligned(first, Math.Clamp(last, first, TimerWheel.MaxTick));
    }

    protected override void OnChangedLocked() => _isOwed = false;

    protected override void OnFired()
    {
        var me = Environment.CurrentManagedThreadId;
        var isOwed = Collection.Enter(me) && _isOwed;
        Debug.Assert(!isOwed || !IsLinked, "A timer that owes a firing is linked, so it would fire twice.");
        _isFiring = false;
        _isOwed = isOwed;
        Collection.Exit(me);
        if (isOwed)
        {
            LinkOwed(me);
        }
    }

    // While a firing is owed, the timer is not linked. So only a change or the end of the timer can have come in
    // between, and both clear the owed firing.
    private void LinkOwed(int me)
    {
        // Read the clock before entering the lock, because the clock may be the user's own code.
        var nowTick = Clock.NowTick();
        if (Collection.Enter(me) && _isOwed)
        {
            _isOwed = false;
            Collection.LinkDueAndExit(this, nowTick, me);
        }
        else
        {
            Collection.Exit(me);
        }
    }

    private static long Sum(long dueAt, long duration) =>
        duration < TickClock.Never - dueAt ? dueAt + duration : TickClock.Never - 1;
}

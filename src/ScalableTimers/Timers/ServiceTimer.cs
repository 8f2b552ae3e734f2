using ScalableTimers.Clock;
using ScalableTimers.Collections;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Timers;

/// <summary>
/// A timer of <see cref="TimerService.CreateTimer"/>: tolerates lateness, so as to share wake-ups, and need not overlap
/// itself.
/// </summary>
/// <remarks>It ends with its service, like a scheduled callback.</remarks>
internal sealed class ServiceTimer : RepeatingEntry
{
    // Guards
    //   _isFiring, _isOwed   Collection's lock
    //
    // _isFiring is true from expiry until the callback has returned, so that a firing that waits for the pool counts as
    // running too.
    private readonly long _tolerance;
    private readonly bool _mayOverlap;
    private bool _isFiring;
    private bool _isOwed;

    /// <param name="collection">The creating thread's.</param>
    /// <param name="callback">What to run.</param>
    /// <param name="state">What to pass to it.</param>
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
            // Nothing comes after it, as when a callback changes its own timer and goes on running: leaving it out
            // would stop the timer for good. It fires when the callback has returned.
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

        // Rounded down, as lateness is tolerated up to there; and before the next moment, which would be lost
        // otherwise.
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
        _isFiring = false;
        _isOwed = isOwed;
        Collection.Exit(me);
        if (isOwed)
        {
            // The clock is read before the lock is entered, because it may be the user's own. If it fails, the tick
            // that the wheel is at will do.
            var nowTick = 0L;
            try
            {
                nowTick = Clock.NowTick();
            }
            finally
            {
                LinkOwed(nowTick, me);
            }
        }
    }

    // While a firing is owed the timer is not linked, so nothing but a change or the end of the timer can have come
    // between, and both take back what is owed.
    private void LinkOwed(long nowTick, int me)
    {
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

using ScalableTimers.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Timers;

/// <summary>
/// The moments at which a timer is due: one, or a grid of them. Exact, while the tick at which it expires is rounded.
/// </summary>
/// <remarks>
/// One moment can be postponed without the lock, as an idle timeout is at each read. The timer stays linked where it
/// is, and is moved on when the driver comes to that place.
/// </remarks>
/// <param name="tolerance">How late an expiry may be so that timers expire together. Not negative.</param>
internal struct TimerGrid(Duration tolerance = default)
{
    // Guards
    //   _period    the lock of the timer's queue
    //   _next      the same, but TryPostpone changes it without the lock, by compare-exchange. The single moment of a
    //              timer, in the clock's units, or the complement of the next one of a grid, which is not postponed
    private readonly Duration _tolerance = tolerance;
    private long _next = Timestamp.Never.Units;
    private Duration _period;

    /// <summary>Whether another moment comes.</summary>
    internal readonly bool IsArmed => Next != Timestamp.Never;

    private readonly Timestamp Next
    {
        get
        {
            var next = Volatile.Read(in _next);
            return new Timestamp(next < 0 ? ~next : next);
        }
    }

    /// <summary>Begins a new grid.</summary>
    /// <param name="dueAt">The first moment.</param>
    /// <param name="period">The distance of the others; zero for one moment alone.</param>
    internal void Start(Timestamp dueAt, Duration period)
    {
        _period = period;
        Set(dueAt);
    }

    internal void Stop() => Volatile.Write(ref _next, Timestamp.Never.Units);

    /// <summary>Gives a timer that is due once a later moment. Called by any thread, without the lock.</summary>
    /// <returns>False if the timer is not armed, or has a period or a later moment.</returns>
    internal bool TryPostpone(Timestamp dueAt)
    {
        var next = Volatile.Read(ref _next);
        return next >= 0 && next <= dueAt.Units
            && Interlocked.CompareExchange(ref _next, dueAt.Units, next) == next;
    }

    /// <summary>Takes the moment for which the timer has expired, and moves on to the next, if there is one.</summary>
    /// <returns>False if the moment has been postponed, and has not come.</returns>
    internal bool TryMoveOn(TickClock clock, long nowTick)
    {
        if (_period != default)
        {
            var following = Next + _period;
            Set(following >= Timestamp.Last ? Timestamp.Never : following);
            return true;
        }

        // An old value does no harm: the compare-exchange finds the new one.
        var next = _next;
        while (TickFor(new Timestamp(next), clock) <= nowTick)
        {
            var found = Interlocked.CompareExchange(ref _next, Timestamp.Never.Units, next);
            if (found == next)
            {
                return true;
            }

            next = found;
        }

        return false;
    }

    /// <summary>Moves on past all moments up to a timestamp. The grid is armed.</summary>
    /// <returns>The number of moments skipped.</returns>
    internal long SkipTo(Timestamp timestamp)
    {
        var next = Next;
        if (next > timestamp)
        {
            return 0;
        }

        var skipped = ((timestamp - next) / _period) + 1;
        Set(next + (_period * skipped));
        return skipped;
    }

    /// <summary>The tick at which the timer expires for the next moment.</summary>
    internal readonly long Tick(TickClock clock) => TickFor(Next, clock);

    private readonly long TickFor(Timestamp next, TickClock clock)
    {
        var first = clock.DeadlineTick(next);
        if (_tolerance == default)
        {
            return first;
        }

        // Round down, because lateness is tolerated only up to that point. Stay before the next moment, which would
        // otherwise be lost.
        var last = clock.TickAt(next + _tolerance);
        if (_period != default)
        {
            last = Math.Min(last, clock.DeadlineTick(next + _period) - 1);
        }

        return TickWindow.MostAligned(first, Math.Clamp(last, first, TimerWheel.MaxTick));
    }

    // A clock that has gone back may give a moment before the service began, which has come just as well.
    private void Set(Timestamp moment)
    {
        var units = Math.Max(0, moment.Units);
        Volatile.Write(ref _next, _period == default || moment == Timestamp.Never ? units : ~units);
    }
}

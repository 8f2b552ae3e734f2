using ScalableTimers.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Timers;

/// <summary>
/// The moments at which a timer is due: one, or a grid of them. Exact, while the tick at which it expires is rounded.
/// </summary>
/// <param name="tolerance">How late an expiry may be so that timers expire together. Not negative.</param>
internal struct TimerGrid(Duration tolerance = default)
{
    private readonly Duration _tolerance = tolerance;
    private Timestamp _dueAt = Timestamp.Never;
    private Duration _period;

    /// <summary>Whether another moment comes.</summary>
    internal readonly bool IsArmed => _dueAt != Timestamp.Never;

    /// <summary>Begins a new grid.</summary>
    /// <param name="dueAt">The first moment.</param>
    /// <param name="period">The distance of the others; zero for one moment alone.</param>
    internal void Start(Timestamp dueAt, Duration period) => (_dueAt, _period) = (dueAt, period);

    internal void Stop() => _dueAt = Timestamp.Never;

    /// <summary>Moves on to the next moment, if there is one.</summary>
    internal void MoveOn()
    {
        var next = _dueAt + _period;
        _dueAt = _period == default || next >= Timestamp.Last ? Timestamp.Never : next;
    }

    /// <summary>Moves on past all moments up to a timestamp. The grid is armed.</summary>
    /// <returns>The number of moments skipped.</returns>
    internal long SkipTo(Timestamp timestamp)
    {
        if (_dueAt > timestamp)
        {
            return 0;
        }

        var skipped = ((timestamp - _dueAt) / _period) + 1;
        _dueAt += _period * skipped;
        return skipped;
    }

    /// <summary>The tick at which the timer expires for the next moment.</summary>
    internal readonly long Tick(TickClock clock)
    {
        var first = clock.DeadlineTick(_dueAt);
        if (_tolerance == default)
        {
            return first;
        }

        // Round down, because lateness is tolerated only up to that point. Stay before the next moment, which would
        // otherwise be lost.
        var last = clock.TickAt(_dueAt + _tolerance);
        if (_period != default)
        {
            last = Math.Min(last, clock.DeadlineTick(_dueAt + _period) - 1);
        }

        return TickWindow.MostAligned(first, Math.Clamp(last, first, TimerWheel.MaxTick));
    }
}

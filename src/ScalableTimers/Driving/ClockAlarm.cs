namespace ScalableTimers.Driving;

/// <summary>One timer of the underlying clock, set to ring at a time that others may change, and never ringing early.</summary>
/// <remarks>A clock's own timer may come early, as .NET's does by some milliseconds; then it is set again for the rest.</remarks>
internal abstract class ClockAlarm : IDisposable
{
    private static readonly TimeSpan s_longestWait = TimeSpan.FromDays(40);

    private readonly TickClock _clock;
    private readonly ITimer _timer;

    // Orders calls of Change, so that the last one uses the newest time. Nothing but the clock's own code runs under it.
    private readonly Lock _gate = new();

    protected ClockAlarm(TickClock clock)
    {
        _clock = clock;
        _timer = CreateTimer(clock.Provider);
    }

    public void Dispose() => _timer.Dispose();

    /// <summary>Sets the alarm to the time that <see cref="ReadDueAt"/> gives.</summary>
    internal void Arm() => Arm(roundUp: ReferenceEquals(_clock.Provider, TimeProvider.System));

    /// <summary>When to ring, in clock units; <see cref="TickClock.Never"/> for not at all.</summary>
    protected abstract long ReadDueAt();

    /// <summary>Called when the time has come. Calls <see cref="Arm()"/> if there is a next time.</summary>
    protected abstract void Ring();

    private static TimeSpan RoundUpToMilliseconds(TimeSpan wait)
    {
        var rest = wait.Ticks % TimeSpan.TicksPerMillisecond;
        return rest == 0 ? wait : wait + new TimeSpan(TimeSpan.TicksPerMillisecond - rest);
    }

    private ITimer CreateTimer(TimeProvider clock)
    {
        // Whoever happens to cause the timer must not lend it its AsyncLocals.
        using var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();
        return clock.CreateTimer(static alarm => ((ClockAlarm)alarm!).Wake(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    private void Arm(bool roundUp)
    {
        lock (_gate)
        {
            var dueAt = ReadDueAt();
            if (dueAt == TickClock.Never)
            {
                _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
                return;
            }

            var wait = _clock.UntilUnits(dueAt);
            wait = wait > s_longestWait ? s_longestWait : wait;
            _timer.Change(roundUp ? RoundUpToMilliseconds(wait) : wait, Timeout.InfiniteTimeSpan);
        }
    }

    private void Wake()
    {
        if (_clock.Now() < ReadDueAt())
        {
            // It came early, so this clock cuts due times to whole milliseconds. Rounding up keeps the rest from being cut to
            // zero again and again. A clock in virtual time never gets here, and is never rounded.
            Arm(roundUp: true);
        }
        else
        {
            Ring();
        }
    }
}

namespace ScalableTimers.Driving;

/// <summary>One timer of the underlying clock, set to ring at a time that others may change, and never ringing early.</summary>
/// <remarks>A clock's own timer may come early, as .NET's does by some milliseconds; then it is set again for the rest.</remarks>
internal abstract class ClockAlarm : IDisposable
{
    private static readonly TimeSpan s_longestWait = TimeSpan.FromDays(40);

    private const int Idle = 0;
    private const int Arming = 1;
    private const int ArmingAndAsked = 2;

    // Guards
    //   _arming      interlocked. One thread arms at a time, so that the last Change has the newest time; one that comes meanwhile
    //                leaves word and the other looks again. Not a lock: a test's clock may run callbacks inside Change.
    //   _roundsUp    set once
    private readonly TickClock _clock;
    private readonly ITimer _timer;
    private int _arming;
    private volatile bool _roundsUp;

    protected ClockAlarm(TickClock clock)
    {
        _clock = clock;
        _roundsUp = ReferenceEquals(clock.Provider, TimeProvider.System);
        _timer = CreateTimer(clock.Provider);
    }

    public void Dispose() => _timer.Dispose();

    /// <summary>Sets the alarm to the time that <see cref="ReadDueAt"/> gives.</summary>
    internal void Arm()
    {
        if (Interlocked.Exchange(ref _arming, ArmingAndAsked) != Idle)
        {
            return;
        }

        do
        {
            Interlocked.Exchange(ref _arming, Arming);
            _timer.Change(ReadWait(), Timeout.InfiniteTimeSpan);
        }
        while (Interlocked.CompareExchange(ref _arming, Idle, Arming) != Arming);
    }

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

    private TimeSpan ReadWait()
    {
        var dueAt = ReadDueAt();
        if (dueAt == TickClock.Never)
        {
            return Timeout.InfiniteTimeSpan;
        }

        var wait = _clock.UntilUnits(dueAt);
        wait = wait > s_longestWait ? s_longestWait : wait;
        return _roundsUp ? RoundUpToMilliseconds(wait) : wait;
    }

    private void Wake()
    {
        if (_clock.Now() < ReadDueAt())
        {
            // It came early, so this clock cuts due times to whole milliseconds. Rounding up keeps the rest from being cut to
            // zero again and again. A clock in virtual time never gets here, and is never rounded.
            _roundsUp = true;
            Arm();
        }
        else
        {
            Ring();
        }
    }
}

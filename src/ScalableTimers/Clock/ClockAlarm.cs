namespace ScalableTimers.Clock;

/// <summary>
/// One timer of the underlying clock, set to ring at a time that others may change, and never ringing early.
/// </summary>
/// <remarks>
/// A clock's own timer may come early, as .NET's does by some milliseconds; then it is set again for the rest.
/// </remarks>
internal abstract class ClockAlarm : IDisposable
{
    /// <summary>What every clock's timer takes.</summary>
    private static readonly TimeSpan s_longestWait = TimeSpan.FromDays(40);

    // Guards
    //   _timer       _gate orders calls of Change, so that the last one has the newest time. A wait of zero is asked
    //                for outside of it: a test's clock may then run callbacks inside Change. One that comes out of
    //                order rings early, which Wake handles. A clock that calls back inside another Change, or while its
    //                time is read, comes back on the same thread, and _gate lets it in. A clock that calls back under a
    //                lock of its own, which its Change needs too, deadlocks here with a second thread that schedules.
    //                That stays so: without _gate a thread could return from Schedule while another one, which has read
    //                the time before, sets the clock past its timer, and a test that advances the clock next would miss
    //                it. No clock of .NET does that, neither does ManualTimeProvider, and it would deadlock with every
    //                lock that callbacks take.
    //   _askedFor    the time that the clock was last asked to ring at, but for rings at once; Never when the wait was
    //                cut
    //   _roundsUp    set once. A ring at once that another thread has served already looks early too, so where several
    //                threads use a clock in virtual time it may be set without need: then timers come up to a
    //                millisecond late there.
    private readonly TickClock _clock;
    private readonly TimeSpan _longestWait;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private long _askedFor = TickClock.Never;
    private bool _roundsUp;

    /// <param name="clock">The clock.</param>
    /// <param name="longestWait">The longest time to ask the clock's timer for at once; null for what it takes.</param>
    protected ClockAlarm(TickClock clock, TimeSpan? longestWait = null)
    {
        _clock = clock;
        _longestWait = longestWait ?? s_longestWait;
        _roundsUp = ReferenceEquals(clock.Provider, TimeProvider.System);
        _timer = CreateTimer(clock.Provider);
    }

    public void Dispose() => _timer.Dispose();

    /// <summary>Sets the alarm to the time that <see cref="ReadDueAt"/> gives.</summary>
    internal void Arm()
    {
        try
        {
            if (!TryAskForLater())
            {
                _timer.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan);
            }
        }
        catch
        {
            OnUnset();
            throw;
        }
    }

    /// <summary>The timestamp to ring at; <see cref="TickClock.Never"/> for not at all.</summary>
    protected abstract long ReadDueAt();

    /// <summary>Called when the time has come. Calls <see cref="Arm()"/> if there is a next time.</summary>
    protected abstract void Ring();

    /// <summary>
    /// Called when the clock has thrown, so that the alarm may not ring. The exception goes on to whoever has called.
    /// </summary>
    protected virtual void OnUnset()
    {
    }

    private ITimer CreateTimer(TimeProvider clock)
    {
        // Whoever happens to cause the timer must not lend it its AsyncLocals.
        using var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();
        return clock.CreateTimer(
            static alarm => ((ClockAlarm)alarm!).Wake(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <returns>False if the time has come.</returns>
    private bool TryAskForLater()
    {
        lock (_gate)
        {
            // A clock that schedules something nearer inside its Change, or while its time is read, has been asked for
            // that first, and for this then.
            long dueAt;
            do
            {
                dueAt = ReadDueAt();
                var wait = dueAt == TickClock.Never ? Timeout.InfiniteTimeSpan : _clock.UntilTimestamp(dueAt);
                if (wait == TimeSpan.Zero)
                {
                    return false;
                }

                Ask(dueAt, wait);
            }
            while (ReadDueAt() < dueAt);

            return true;
        }
    }

    private void Ask(long dueAt, TimeSpan wait)
    {
        var isCut = wait > _longestWait;
        Volatile.Write(ref _askedFor, isCut ? TickClock.Never : dueAt);
        wait = isCut ? _longestWait : wait;
        _timer.Change(
            Volatile.Read(ref _roundsUp) ? DueTime.RoundUpToMilliseconds(wait) : wait, Timeout.InfiniteTimeSpan);
    }

    private void Wake()
    {
        try
        {
            RingOrWait();
        }
        catch
        {
            // The alarm has gone off, and nothing else would set it again.
            Arm();
            throw;
        }
    }

    private void RingOrWait()
    {
        var now = _clock.Now();
        if (now >= ReadDueAt())
        {
            Ring();
            return;
        }

        // If it came before the time that it was asked for, this clock cuts due times to whole milliseconds. Rounding
        // up keeps the rest from being cut to zero again and again. A clock in virtual time does not cut, and is never
        // rounded.
        var askedFor = Volatile.Read(ref _askedFor);
        if (askedFor != TickClock.Never && now < askedFor)
        {
            Volatile.Write(ref _roundsUp, true);
        }

        Arm();
    }
}

namespace ScalableTimers.Clock;

/// <summary>
/// A timer of the underlying clock. It rings at a time that other threads may change, and never rings early.
/// </summary>
/// <remarks>
/// The clock's own timer may fire early, as .NET's does by some milliseconds. The alarm then sets it again for the
/// rest.
/// </remarks>
internal abstract class ClockAlarm : IDisposable
{
    /// <summary>A wait that every clock's timer accepts. Longer waits are cut to it.</summary>
    private static readonly TimeSpan s_maxWait = TimeSpan.FromDays(40);

    // Guards
    //   _timer       _gate orders calls to Change, so that the last call has the newest time. Without it a thread could
    //                return from Schedule while another thread, which has read the due time before, sets the clock to
    //                ring after the first thread's timer. A test that then advances the clock would miss that timer.
    //                Change with a wait of zero is called outside _gate, because a test's clock may then run callbacks
    //                inside Change. If such a call comes out of order, the timer rings early, which Wake handles. A
    //                clock that calls back inside another Change does so on the same thread, which may re-enter _gate.
    //                A clock must not call back under a lock of its own that its Change needs too.
    //   _askedFor    _gate; the time at which the clock was last asked to ring, ignoring waits of zero; Never if the
    //                wait was cut
    //   _roundsUp    _gate; set once
    private readonly TickClock _clock;
    private readonly TimeSpan _maxWait;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private long _askedFor = TickClock.Never;
    private bool _roundsUp;

    /// <param name="clock">The clock.</param>
    /// <param name="maxWait">
    /// The longest wait to ask of the clock's timer in one call; null for one that every clock accepts.
    /// </param>
    protected ClockAlarm(TickClock clock, TimeSpan? maxWait = null)
    {
        _clock = clock;
        _maxWait = maxWait ?? s_maxWait;
        _roundsUp = ReferenceEquals(clock.Provider, TimeProvider.System);

        // The timer must not capture the AsyncLocals of the code that happens to create it.
        using var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();
        _timer = clock.Provider.CreateTimer(
            static alarm => ((ClockAlarm)alarm!).Wake(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Dispose() => _timer.Dispose();

    /// <summary>Sets the alarm to the time that <see cref="ReadDueAt"/> returns.</summary>
    internal void Arm()
    {
        if (!TryAskForLater())
        {
            _timer.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>The timestamp to ring at; <see cref="TickClock.Never"/> for no ring.</summary>
    protected abstract long ReadDueAt();

    /// <summary>Called when the time has come. Calls <see cref="Arm()"/> if there is a next time.</summary>
    protected abstract void Ring();

    /// <returns>False if the time has come.</returns>
    private bool TryAskForLater()
    {
        lock (_gate)
        {
            // A clock's Change, or reading its time, may schedule an earlier timer. Then the clock has been asked for
            // the earlier time first and for this later one last, so read the due time again.
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
        var isCut = wait > _maxWait;
        _askedFor = isCut ? TickClock.Never : dueAt;
        wait = isCut ? _maxWait : wait;
        _timer.Change(_roundsUp ? DueTime.RoundUpToMilliseconds(wait) : wait, Timeout.InfiniteTimeSpan);
    }

    private void Wake()
    {
        var now = _clock.Now();
        if (now >= ReadDueAt())
        {
            Ring();
            return;
        }

        // If the ring came before the time that the clock was asked for, this clock cuts due times to whole
        // milliseconds. Rounding up keeps it from cutting the rest to zero again and again. A clock in virtual time
        // does not cut due times, so they are not rounded up for it.
        lock (_gate)
        {
            _roundsUp |= _askedFor != TickClock.Never && now < _askedFor;
        }

        Arm();
    }
}

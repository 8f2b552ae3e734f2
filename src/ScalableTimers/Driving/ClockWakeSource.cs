using ScalableTimers.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>Wakes the driver with a single timer of the underlying clock, never early.</summary>
/// <remarks>
/// The clock's timer may fire early, as .NET's does by some milliseconds. It is then set again for the rest.
/// </remarks>
internal sealed class ClockWakeSource : IWakeSource
{
    /// <summary>A wait that every clock's timer accepts. Longer waits are cut to it.</summary>
    private static readonly TimeSpan s_maxWait = TimeSpan.FromDays(40);

    /// <summary>How soon one of .NET's timers rings again until it is set anew.</summary>
    /// <remarks>
    /// Of its timers that are due together .NET calls one before the other work of a blocked pool: the one that it has
    /// linked last, as it does with those that have just rung, if they ring again within a third of a second.
    /// </remarks>
    private static readonly TimeSpan s_ringAgain = TimeSpan.FromMilliseconds(100);

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
    private readonly TimerDriver _driver;
    private readonly TickClock _clock;
    private readonly TimeSpan _maxWait;
    private readonly TimeSpan _ringAgain;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private Timestamp _askedFor = Timestamp.Never;
    private bool _roundsUp;

    public ClockWakeSource(TimerDriver driver, TickClock clock)
    {
        _driver = driver;
        _clock = clock;
        _roundsUp = ReferenceEquals(clock.Provider, TimeProvider.System);

        // See ThreadWakeSource: where .NET's waits do not count the time a machine is suspended, its timers do not
        // either. In virtual time that does not matter.
        _maxWait = _roundsUp ? TimeSpan.FromMilliseconds(ThreadWakeSource.MaxMilliseconds) : s_maxWait;
        _ringAgain = _roundsUp ? s_ringAgain : Timeout.InfiniteTimeSpan;

        // The timer must not capture the AsyncLocals of the code that happens to create it.
        using var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();
        _timer = clock.Provider.CreateTimer(
            static source => ((ClockWakeSource)source!).Wake(),
            this,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan);
    }

    public void Start()
    {
    }

    public void Arm()
    {
        if (!TryAskForLater())
        {
            _timer.Change(TimeSpan.Zero, _ringAgain);
        }
    }

    // With nothing pending the clock's timer is not set, so nothing refers to it.
    public void RunOut() => _driver.Announce();

    // A driver that is awake sets the timer itself when its pass is done.
    private Timestamp ReadDueAt()
    {
        var tick = _driver.NextWakeTick;
        return tick == TimerWheel.Never ? Timestamp.Never : _clock.TimestampAt(tick);
    }

    /// <returns>False if the time has come.</returns>
    private bool TryAskForLater()
    {
        lock (_gate)
        {
            // A clock's Change, or reading its time, may schedule an earlier timer. Then the clock has been asked for
            // the earlier time first and for this later one last, so read the due time again.
            Timestamp dueAt;
            do
            {
                dueAt = ReadDueAt();
                var wait = dueAt == Timestamp.Never ? Timeout.InfiniteTimeSpan : _clock.UntilTimestamp(dueAt);
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

    private void Ask(Timestamp dueAt, TimeSpan wait)
    {
        var isCut = wait > _maxWait;
        _askedFor = isCut ? Timestamp.Never : dueAt;
        wait = isCut ? _maxWait : wait;
        _timer.Change(_roundsUp ? DueTime.RoundUpToMilliseconds(wait) : wait, _ringAgain);
    }

    private void Wake()
    {
        var now = _clock.Now();
        if (now >= ReadDueAt())
        {
            _driver.Serve();
            return;
        }

        // If the ring came before the time that the clock was asked for, this clock cuts due times to whole
        // milliseconds. Rounding up keeps it from cutting the rest to zero again and again. A clock in virtual time
        // does not cut due times, so they are not rounded up for it.
        lock (_gate)
        {
            _roundsUp |= _askedFor != Timestamp.Never && now < _askedFor;
        }

        Arm();
    }
}

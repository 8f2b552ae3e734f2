namespace ScalableTimers.Driving;

/// <summary>Wakes the driver from a thread of its own that sleeps in between.</summary>
/// <remarks>
/// A tenth of what the runtime's timer costs a wake-up, and nearer to the time asked for: that one goes through a timer
/// thread and the pool, whose threads spin before they sleep. The thread starts with the first timer. With a resolution below
/// 10 milliseconds it sleeps to the tick itself, not to the next whole millisecond of .NET's waits, which would cost a
/// wake-up in eleven at a tick of one.
/// </remarks>
internal sealed class ThreadWakeSource : IWakeSource
{
    private const int LongestWait = 24 * 60 * 60 * 1000;

    /// <summary>At this resolution and above, being up to a millisecond later costs less than waking twice.</summary>
    private static readonly TimeSpan s_coarseResolution = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_millisecond = TimeSpan.FromMilliseconds(1);

    private readonly TimerDriver _driver;
    private readonly TickClock _clock;
    private readonly AutoResetEvent _changed = new(false);
    private readonly Thread _thread;
    private readonly bool _isPrecise;
    private int _isStarted;
    private volatile bool _isDisposed;

    public ThreadWakeSource(TimerDriver driver, TickClock clock)
    {
        _driver = driver;
        _clock = clock;
        _isPrecise = clock.ToDuration(clock.UnitsAt(tick: 1)) < s_coarseResolution;
        _thread = new Thread(Run) { IsBackground = true, Name = "ScalableTimers driver" };
    }

    public void Arm()
    {
        if (Volatile.Read(ref _isStarted) == 0 && Interlocked.Exchange(ref _isStarted, 1) == 0)
        {
            _thread.UnsafeStart();
        }
        else if (!ReferenceEquals(Thread.CurrentThread, _thread))
        {
            // The event keeps a signal that comes before the wait, so the new tick is not missed.
            _changed.Set();
        }
    }

    public void Dispose()
    {
        _isDisposed = true;
        _changed.Set();
    }

    private void Run()
    {
        while (!_isDisposed)
        {
            var nextWakeTick = _driver.NextWakeTick;
            if (nextWakeTick <= _clock.NowTick())
            {
                _driver.Serve();
            }
            else
            {
                WaitFor(nextWakeTick);
            }
        }
    }

    private void WaitFor(long tick)
    {
        if (tick == Wheel.TimerWheel.Never)
        {
            _changed.WaitOne();
            return;
        }

        var wait = _clock.Until(tick);
        if (_isPrecise && wait < s_millisecond && PreciseSleep.TrySleep(wait))
        {
            // Nothing can wake it, and nothing need: no tick begins before this one, as it is less than a resolution away. What is
            // to fire at once meanwhile waits for it.
            return;
        }

        // Rounded up, waking a little late costs nothing, waking early costs another wait; rounded down, the rest is slept precisely.
        var milliseconds = _isPrecise && PreciseSleep.IsAvailable ? Math.Max(1, Math.Floor(wait.TotalMilliseconds)) : Math.Ceiling(wait.TotalMilliseconds);
        _changed.WaitOne((int)Math.Min(milliseconds, LongestWait));
    }
}

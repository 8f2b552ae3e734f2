namespace ScalableTimers.Driving;

/// <summary>Wakes the driver from a thread of its own that sleeps in between.</summary>
/// <remarks>
/// A tenth of what the runtime's timer costs a wake-up, and nearer to the time asked for: that one goes through a timer
/// thread and the pool, whose threads spin before they sleep. The thread starts with the first timer.
/// </remarks>
internal sealed class ThreadWakeSource : IWakeSource
{
    private const int LongestWait = 24 * 60 * 60 * 1000;

    private readonly TimerDriver _driver;
    private readonly TickClock _clock;
    private readonly AutoResetEvent _changed = new(false);
    private readonly Thread _thread;
    private int _isStarted;
    private volatile bool _isDisposed;

    public ThreadWakeSource(TimerDriver driver, TickClock clock)
    {
        _driver = driver;
        _clock = clock;
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
                _changed.WaitOne(MillisecondsUntil(nextWakeTick));
            }
        }
    }

    private int MillisecondsUntil(long tick)
    {
        if (tick == Wheel.TimerWheel.Never)
        {
            return Timeout.Infinite;
        }

        // Rounded up: waking a little late costs nothing, waking early costs another wait.
        var wait = Math.Ceiling(_clock.Until(tick).TotalMilliseconds);
        return (int)Math.Min(wait, LongestWait);
    }
}

namespace ScalableTimers.Driving;

/// <summary>Wakes the driver from a thread of its own that sleeps in between.</summary>
/// <remarks>
/// A tenth of what the runtime's timer costs a wake-up, and nearer to the time asked for: that one goes through a timer
/// thread and the pool, whose threads spin before they sleep. The thread starts with the first timer.
/// </remarks>
internal sealed class ThreadWakeSource : IWakeSource
{
    private readonly TimerDriver _driver;
    private readonly TickClock _clock;
    private readonly TickSleep _sleep;
    private readonly Thread _thread;
    private int _isStarted;
    private bool _isDisposed;

    public ThreadWakeSource(TimerDriver driver, TickClock clock)
    {
        _driver = driver;
        _clock = clock;
        _sleep = new TickSleep(clock);
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
            _sleep.End();
        }
    }

    public void Dispose()
    {
        Volatile.Write(ref _isDisposed, true);
        _sleep.Dispose();
    }

    private void Run()
    {
        while (!Volatile.Read(ref _isDisposed))
        {
            var nextWakeTick = _driver.NextWakeTick;
            if (nextWakeTick <= _clock.NowTick())
            {
                _driver.Serve();
            }
            else
            {
                _sleep.Until(nextWakeTick);
            }
        }
    }
}

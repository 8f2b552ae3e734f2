using ScalableTimers.Clock;

namespace ScalableTimers.Driving;

/// <summary>Wakes the driver from a thread of its own that sleeps in between.</summary>
/// <remarks>
/// A wake-up costs a tenth of one by the runtime's timer and comes nearer to its time. The runtime's timer goes through
/// a timer thread and the pool, whose threads spin before they sleep. The thread starts with the first timer.
/// </remarks>
internal class ThreadWakeSource : IWakeSource
{
    // Guards
    //   _thread          the threads that call Start, one at a time
    //   _drivingThread   written by the thread that drives, before it does
    private readonly TimerDriver _driver;
    private readonly TickClock _clock;
    private readonly DriverPass _pass;
    private readonly TickSleep _sleep;
    private Thread? _thread;
    private Thread? _drivingThread;
    private bool _isDisposed;

    public ThreadWakeSource(TimerDriver driver, TickClock clock, DriverPass pass)
    {
        _driver = driver;
        _clock = clock;
        _pass = pass;
        _sleep = new TickSleep(clock);
    }

    public virtual void Start() => _thread ??= StartThread(Run);

    public void Arm()
    {
        // The driving thread itself looks at the next tick before it sleeps, so it needs no signal. While it serves, no
        // thread lowers that tick. A thread that takes over serves first and announces a tick afterwards. So a callback
        // that has lowered a tick sees which thread drives now.
        if (!ReferenceEquals(Thread.CurrentThread, Volatile.Read(ref _drivingThread)))
        {
            _sleep.End();
        }
    }

    public virtual void Dispose()
    {
        Volatile.Write(ref _isDisposed, true);
        _sleep.Dispose();
    }

    /// <summary>Starts a thread of the driver.</summary>
    protected static Thread StartThread(ThreadStart run)
    {
        var thread = new Thread(run) { IsBackground = true, Name = "ScalableTimers driver" };
        thread.UnsafeStart();
        return thread;
    }

    /// <summary>The body of the thread.</summary>
    protected virtual void Run() => Drive();

    /// <summary>
    /// Serves what is due and sleeps until something is, until the calling thread is replaced or the service is
    /// disposed.
    /// </summary>
    protected void Drive()
    {
        Volatile.Write(ref _drivingThread, Thread.CurrentThread);
        while (!Volatile.Read(ref _isDisposed))
        {
            var nextWakeTick = _driver.NextWakeTick;
            if (nextWakeTick > _clock.NowTick())
            {
                _sleep.Until(nextWakeTick);
            }
            else if (!_pass.Run())
            {
                return;
            }
        }
    }
}

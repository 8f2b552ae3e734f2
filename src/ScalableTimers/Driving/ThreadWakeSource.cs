using ScalableTimers.Clock;

namespace ScalableTimers.Driving;

/// <summary>Wakes the driver from a thread of its own that sleeps in between.</summary>
/// <remarks>
/// A wake-up costs a tenth of one by the runtime's timer and comes nearer to its time. The runtime's timer goes through
/// a timer thread and the pool, whose threads spin before they sleep. The thread starts with the first timer.
/// </remarks>
internal sealed class ThreadWakeSource(TimerDriver driver, TickClock clock) : IWakeSource
{
    // Guards
    //   _thread   the threads that call Start, one at a time; a callback on the thread itself reads it
    private readonly TickSleep _sleep = new(clock);
    private Thread? _thread;
    private bool _isDisposed;

    public void Start()
    {
        if (_thread is null)
        {
            var thread = new Thread(Drive) { IsBackground = true, Name = "ScalableTimers driver" };
            thread.UnsafeStart();
            _thread = thread;
        }
    }

    public void Arm()
    {
        // The driving thread itself looks at the next tick before it sleeps, so it needs no signal. Until it sees the
        // field it gets one, to no effect.
        if (!ReferenceEquals(Thread.CurrentThread, _thread))
        {
            _sleep.End();
        }
    }

    public void Dispose()
    {
        Volatile.Write(ref _isDisposed, true);
        _sleep.Dispose();
    }

    /// <summary>Serves what is due and sleeps until something is, until the service is disposed.</summary>
    private void Drive()
    {
        while (!Volatile.Read(ref _isDisposed))
        {
            var nextWakeTick = driver.NextWakeTick;
            if (nextWakeTick > clock.NowTick())
            {
                _sleep.Until(nextWakeTick);
            }
            else
            {
                driver.Serve();
            }
        }
    }
}

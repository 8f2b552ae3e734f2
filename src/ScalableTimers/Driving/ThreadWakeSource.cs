using ScalableTimers.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>Wakes the driver from a thread of its own that sleeps in between.</summary>
/// <remarks>
/// A wake-up costs a tenth of one by the runtime's timer and comes nearer to its time. The runtime's timer goes through
/// a timer thread and the pool, whose threads spin before they sleep. The thread starts with the first timer. With a
/// resolution below 10 milliseconds it sleeps to the tick itself, not to the next whole millisecond as .NET's waits do:
/// those would lose one wake-up in eleven at a resolution of 1 millisecond.
/// </remarks>
internal sealed class ThreadWakeSource : IWakeSource
{
    /// <summary>The longest duration of one wait, in milliseconds.</summary>
    /// <remarks>
    /// On some systems, as on Windows, the clock counts the time for which the machine is suspended, but a wait does
    /// not. There a longer wait would end too late by the time of the suspension. So the thread looks at the clock once
    /// a minute, which costs some 100 µs, and a timer is late by at most a minute after the machine resumes.
    /// </remarks>
    internal const int MaxMilliseconds = 60_000;

    /// <summary>At this resolution and above, waking up to a millisecond late costs less than waking twice.</summary>
    private static readonly TimeSpan s_coarseResolution = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_millisecond = TimeSpan.FromMilliseconds(1);

    // Guards
    //   _thread    the threads that call Start, one at a time; a callback on the thread itself reads it
    //   _changed   kept when it is set before the wait. It is left to the garbage collector, because schedulers may
    //              still set it after the disposal
    private readonly TimerDriver _driver;
    private readonly TickClock _clock;
    private readonly bool _isPrecise;
    private readonly AutoResetEvent _changed = new(false);
    private Thread? _thread;
    private bool _isDisposed;

    public ThreadWakeSource(TimerDriver driver, TickClock clock)
    {
        _driver = driver;
        _clock = clock;
        _isPrecise = clock.Resolution < s_coarseResolution;
    }

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
            _changed.Set();
        }
    }

    public void Dispose()
    {
        Volatile.Write(ref _isDisposed, true);
        _changed.Set();
    }

    /// <summary>The milliseconds to ask .NET's waits for.</summary>
    internal int Milliseconds(TimeSpan wait)
    {
        // With precise sleeps the wait is rounded down, and the rest is slept precisely. Otherwise it is rounded up:
        // waking a little late costs nothing, but waking early costs another wait.
        var milliseconds = _isPrecise && PreciseSleep.IsAvailable
            ? Math.Max(1, Math.Floor(wait.TotalMilliseconds))
            : Math.Ceiling(wait.TotalMilliseconds);
        return (int)Math.Min(milliseconds, MaxMilliseconds);
    }

    /// <summary>
    /// Sleeps until a tick begins, or until another thread sets an earlier one. It may return early, so the caller
    /// looks at the clock again.
    /// </summary>
    internal void SleepUntil(long tick)
    {
        // With nothing pending, nothing is late.
        var wait = tick == TimerWheel.Never ? TimeSpan.MaxValue : _clock.Until(tick);
        if (_isPrecise && wait < s_millisecond && PreciseSleep.TrySleep(wait))
        {
            // No thread can end this sleep, and none need: the tick is less than a resolution away, so no other tick
            // begins before it. A timer that is due at once meanwhile waits for it.
            return;
        }

        try
        {
            _changed.WaitOne(tick == TimerWheel.Never ? Timeout.Infinite : Milliseconds(wait));
        }
        catch (ThreadInterruptedException)
        {
            // A callback may have handed out its Thread object, and other code may interrupt the thread after the
            // callback has returned. That ends the sleep and does nothing else.
        }
    }

    /// <summary>Serves what is due and sleeps until something is, until the service is disposed.</summary>
    private void Drive()
    {
        while (!Volatile.Read(ref _isDisposed))
        {
            var nextWakeTick = _driver.NextWakeTick;
            if (nextWakeTick > _clock.NowTick())
            {
                SleepUntil(nextWakeTick);
            }
            else
            {
                _driver.Pass();
            }
        }
    }
}

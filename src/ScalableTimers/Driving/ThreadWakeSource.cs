using System.Diagnostics.CodeAnalysis;
using ScalableTimers.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>Wakes the driver from a dedicated thread that sleeps in between.</summary>
/// <remarks>
/// A wake-up costs a fraction of one by the runtime's timer and is more punctual: the runtime's goes through a timer
/// thread and the pool, whose threads spin before they sleep. The thread starts with the first timer. When the service
/// has been disposed, the thread leaves what is pending to a timer of the clock, and ends.
/// </remarks>
[SuppressMessage(
    "Design",
    "CA1001:Types that own disposable fields should be disposable",
    Justification = "Schedulers may still set the event when the thread has ended.")]
internal sealed class ThreadWakeSource : IWakeSource
{
    /// <summary>The longest single wait, in milliseconds.</summary>
    /// <remarks>
    /// On some systems, such as Windows, the clock counts time while the machine is suspended, but a wait does not. A
    /// longer wait would then end late by as long as the suspension. So the thread checks the clock once a minute,
    /// which costs some 100 µs, and a timer is at most a minute late after the machine resumes.
    /// </remarks>
    internal const int MaxMilliseconds = 60_000;

    // Guards
    //   _thread    the thread that starts it, one at a time; written once. Read elsewhere only to save a signal
    //   _changed   written before _thread. Stays set if it is set before the wait
    private readonly RoundDriver _driver;
    private readonly TickClock _clock;
    private AutoResetEvent? _changed;
    private Thread? _thread;

    public ThreadWakeSource(RoundDriver driver, TickClock clock)
    {
        _driver = driver;
        _clock = clock;
    }

    public void Start()
    {
        if (_thread is null)
        {
            _changed = new AutoResetEvent(false);
            var thread = new Thread(Drive) { IsBackground = true, Name = "ScalableTimers driver" };
            thread.UnsafeStart();
            _thread = thread;
        }
    }

    public void Arm()
    {
        // The driver's thread checks the next tick before it sleeps, so it needs no signal. Until it sees the field, it
        // gets one, which is harmless.
        if (!ReferenceEquals(Thread.CurrentThread, _thread))
        {
            _changed?.Set();
        }
    }

    public void RunOut() => _changed?.Set();

    /// <summary>
    /// The milliseconds to pass to .NET's waits. Rounded up: waking late by a part of one costs nothing, but waking
    /// early costs another wait.
    /// </summary>
    internal static int Milliseconds(TimeSpan wait) =>
        (int)Math.Min(Math.Ceiling(wait.TotalMilliseconds), MaxMilliseconds);

    /// <summary>
    /// Sleeps until a tick begins, or until another thread sets an earlier one. It may return early, so the caller
    /// checks the clock again.
    /// </summary>
    private void SleepUntil(long tick) =>
        _changed!.WaitOne(tick == TimerWheel.Never ? Timeout.Infinite : Milliseconds(_clock.Until(tick)));

    /// <summary>Serves what is due, then sleeps until more is. Ends when the service has been disposed.</summary>
    private void Drive()
    {
        while (true)
        {
            var nextWakeTick = _driver.NextWakeTick;
            if (nextWakeTick <= _clock.NowTick())
            {
                _driver.Pass();
            }
            else if (_driver.IsRunningOut)
            {
                _driver.GoOnWithoutThread();
                return;
            }
            else
            {
                SleepUntil(nextWakeTick);
            }
        }
    }
}

using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace ScalableTimers.Driving;

/// <summary>Wakes the driver from a thread of its own that sleeps in between.</summary>
/// <remarks>
/// <para>
/// A wake-up costs a tenth of one by the runtime's timer and comes nearer to its time. The runtime's timer goes through
/// a timer thread and the pool, whose threads spin before they sleep. The thread starts with the first timer.
/// </para>
/// <para>
/// A thread cannot always be started. The timer that needs the thread is linked by then, so the call that scheduled it
/// must not fail. The pool takes the thread's place, a turn at a time, until the thread can be started. A turn is
/// short, because the pool may have only one thread, and expired timers need it too. If the pool refuses the turn, the
/// next call that makes the driver wake earlier or finds it starved tries again.
/// </para>
/// </remarks>
internal class ThreadWakeSource : IWakeSource, IThreadPoolWorkItem
{
    private const int LongestTurnMilliseconds = 20;

    // The values of _state and their transitions.
    //   Unstarted   to Started by the next call of Arm, which then starts the thread
    //   Started     final once the thread runs; to Queued by a caller or turn that could not start the thread, before
    //               it queues the next turn
    //   Queued      to Started by the queued turn; to Unstarted if the pool has refused the turn
    private const int Unstarted = 0;
    private const int Started = 1;
    private const int Queued = 2;

    // Guards
    //   _state    interlocked
    //   _first    the caller or turn that has set _state to Started, and the thread
    //   _drivingThread   written by the thread that drives, before it does
    private readonly TimerDriver _driver;
    private readonly TickClock _clock;
    private readonly DriverPass _pass;
    private readonly TickSleep _sleep;
    private readonly DriverThread _first;
    private Thread? _drivingThread;
    private int _state;
    private bool _isDisposed;

    public ThreadWakeSource(TimerDriver driver, TickClock clock, DriverPass pass, ILogger logger)
    {
        _driver = driver;
        _clock = clock;
        _pass = pass;
        _sleep = new TickSleep(clock);
        _first = new DriverThread(Run, clock, logger);
    }

    /// <summary>The source of the threads. Tests set it, before the first timer.</summary>
    internal ThreadSupply Supply { get; set; } = ThreadSupply.Runtime;

    public void Arm()
    {
        if (Volatile.Read(ref _state) == Unstarted
            && Interlocked.CompareExchange(ref _state, Started, Unstarted) == Unstarted)
        {
            Start();
        }
        else if (!ReferenceEquals(Thread.CurrentThread, Volatile.Read(ref _drivingThread)))
        {
            // The driving thread itself looks at the next tick before it sleeps, so it needs no signal. While it
            // serves, no thread lowers that tick. A thread that takes over serves first and announces a tick
            // afterwards. So a callback that has lowered a tick sees which thread drives now.
            _sleep.End();
        }
    }

    public virtual void Dispose()
    {
        Volatile.Write(ref _isDisposed, true);
        _sleep.Dispose();
    }

    /// <summary>Takes one turn on a thread of the pool.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        // A pool that reports a failure may have queued the turn all the same. If another thread drives by now, it
        // drives on alone.
        if (Interlocked.Exchange(ref _state, Started) != Started && TryTakeTurn(LongestTurnMilliseconds))
        {
            Start();
        }
    }

    /// <summary>The body of the thread.</summary>
    protected virtual void Run() => Drive(watchdog: null);

    /// <summary>Drives until the calling thread is replaced or the service is disposed.</summary>
    protected void Drive(DriverThread? watchdog)
    {
        Volatile.Write(ref _drivingThread, Thread.CurrentThread);
        do
        {
            IThreadPoolWorkItem? warning = null;
            _ = watchdog?.TryStart(Supply, out warning);
            Give(warning);
        }
        while (TryTakeTurn(TickSleep.LongestMilliseconds));
    }

    /// <summary>Serves what is due, or sleeps until something is.</summary>
    /// <returns>False if the calling thread has been replaced or the service disposed.</returns>
    private bool TryTakeTurn(int longestMilliseconds)
    {
        if (Volatile.Read(ref _isDisposed))
        {
            return false;
        }

        var nextWakeTick = _driver.NextWakeTick;
        if (nextWakeTick <= _clock.NowTick())
        {
            return _pass.Run();
        }

        _sleep.Until(nextWakeTick, longestMilliseconds);
        return true;
    }

    private void Start()
    {
        if (_first.TryStart(Supply, out var warning))
        {
            return;
        }

        Volatile.Write(ref _state, Queued);
        if (!Supply.TryQueue(this))
        {
            // The exchange fails if the turn has been queued all the same and has begun.
            Interlocked.CompareExchange(ref _state, Unstarted, Queued);
        }

        // The warning is queued after the turn, because the turn must not wait for a logger.
        Give(warning);
    }

    // If the pool refuses the warning too, nothing is logged.
    private void Give(IThreadPoolWorkItem? warning)
    {
        if (warning is not null)
        {
            _ = Supply.TryQueue(warning);
        }
    }
}

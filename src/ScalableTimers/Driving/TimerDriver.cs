using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Queues;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>Wakes at the earliest deadline of all queues. What it then does is left to its two kinds.</summary>
/// <remarks>
/// There is one wake-up source and one tick at which it is set to wake. A thread that schedules an earlier timer lowers
/// that tick by compare-exchange and arms the source again. All other schedulers pay nothing for the driver. While
/// nothing is due, the driver sleeps, even for hours.
/// </remarks>
internal abstract class TimerDriver(QueueRegistry queues) : IQueueDriver
{
    // Guards
    //   _nextWakeTick   interlocked: schedulers lower it, a serving driver raises it
    //   _wakeUps        interlocked
    //
    // The driver announces _nextWakeTick, then looks at every queue's earliest tick. A scheduler publishes the earliest
    // tick, then looks at _nextWakeTick. See TimerQueue.WakeDriver for the other side. While the driver serves,
    // _nextWakeTick has come, so schedulers do not lower it. At the end the driver looks at what they have published.
    private long _nextWakeTick = TimerWheel.Never;
    private long _wakeUps;

    internal abstract TimerServiceDriver Kind { get; }

    /// <summary>
    /// The tick at which the driver will wake, or has woken; <see cref="TimerWheel.Never"/> if nothing is pending.
    /// </summary>
    internal long NextWakeTick => Volatile.Read(ref _nextWakeTick);

    /// <summary>Whether the service has been disposed, so that the driver goes on without a thread.</summary>
    internal bool IsRunningOut => Queues.Phase == ServicePhase.Disposed;

    internal long WakeUps => Volatile.Read(ref _wakeUps);

    protected QueueRegistry Queues { get; } = queues;

    protected TickClock Clock { get; } = queues.Clock;

    protected FiringDispatcher Dispatcher { get; } = queues.Dispatcher;

    internal abstract IWakeSource Source { get; }

    /// <summary>Called by one thread at a time, before it creates a queue or takes one over.</summary>
    public void Start() => Source.Start();

    /// <summary>Called by a scheduler after it has published a deadline and executed a full fence.</summary>
    public void WakeNoLaterThan(long tick)
    {
        var next = Volatile.Read(ref _nextWakeTick);
        while (tick < next)
        {
            var found = Interlocked.CompareExchange(ref _nextWakeTick, tick, next);
            if (found != next)
            {
                next = found;
                continue;
            }

            // If a clock of the user's throws here, so does the call that needed it. Its timer is set, but fires only
            // when the clock rings for another reason.
            Source.Arm();
            return;
        }
    }

    public void RunOut()
    {
        Dispatcher.DropIdle();
        Source.RunOut();
    }

    /// <summary>Serves what is due. Called when the clock has rung, on any thread.</summary>
    internal abstract void Serve();

    /// <summary>
    /// Announces the next wake-up and sets the source. Usually called by the driver. If others call it at the same
    /// time, the wake-up may be too early, never too late.
    /// </summary>
    internal void Announce(long notBefore = 0)
    {
        var earliest = Math.Max(notBefore, Queues.EarliestTick());
        while (true)
        {
            // Announce first, then look again: a full fence, paired with the one in TimerQueue.WakeDriver.
            Interlocked.Exchange(ref _nextWakeTick, earliest);
            var seen = Math.Max(notBefore, Queues.EarliestTick());
            if (seen >= earliest)
            {
                break;
            }

            earliest = seen;
        }

        Source.Arm();
    }

    protected void CountWakeUp() => Interlocked.Increment(ref _wakeUps);
}

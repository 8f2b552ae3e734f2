using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Queues;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>Wakes at the earliest deadline of all queues and fires what has expired.</summary>
/// <remarks>
/// <para>
/// There is one wake-up source and one tick at which it is set to wake. A thread that schedules an earlier timer lowers
/// that tick by compare-exchange and arms the source again. All other schedulers pay nothing for the driver. While
/// nothing is due, the driver sleeps, even for hours.
/// </para>
/// <para>
/// Each wake-up is a pass over the queues in rounds. In each round, every queue that has something to do takes one
/// bounded step, and what expired is fired at the end, so no queue holds up another. Each round reads the clock, so a
/// long pass also serves what comes due during it. When a clock rings during a pass, another pass follows it.
/// </para>
/// <para>
/// In virtual time the driver fires in order instead. It takes out one timer, runs it inside the clock's own callback,
/// and looks again. So when the call that advances the clock returns, everything due has run.
/// </para>
/// </remarks>
internal sealed class TimerDriver : IQueueDriver, IDisposable
{
    private static readonly TimeSpan s_rareLook = TimeSpan.FromMilliseconds(250);

    // Guards
    //   _nextWakeTick   interlocked: schedulers lower it, a serving driver raises it
    //   _unserved       interlocked: the number of wake-ups since the driver was last idle; 0 while it is idle
    //
    // The driver announces _nextWakeTick, then looks at every queue's earliest tick. A scheduler publishes the earliest
    // tick, then looks at _nextWakeTick. See TimerQueue.AnnounceAndExit for the other side. While the driver serves,
    // _nextWakeTick has come, so schedulers do not lower it. At the end the driver looks at what they have published.
    private readonly TickClock _clock;
    private readonly QueueRegistry _queues;
    private readonly FiringDispatcher _dispatcher;
    private readonly IWakeSource _source;
    private readonly bool _firesHere;
    private readonly WaitingBatches _waiting;
    private long _nextWakeTick = TimerWheel.Never;
    private int _unserved;
    private long _wakeUps;

    /// <summary>Creates a driver that runs callbacks on its own thread, or on the pool.</summary>
    public TimerDriver(QueueRegistry queues, TimerServiceDriver kind, bool firesHere)
    {
        _clock = queues.Clock;
        _queues = queues;
        _dispatcher = queues.Dispatcher;
        _firesHere = firesHere;
        Kind = kind;
        _waiting = new WaitingBatches(
            _clock.DeadlineTick(_clock.ToTimestampDuration(s_rareLook)),
            isOnPool: kind == TimerServiceDriver.Timer && ReferenceEquals(_clock.Provider, TimeProvider.System));
        _source = kind == TimerServiceDriver.Timer
            ? new ClockWakeSource(this, _clock)
            : new ThreadWakeSource(this, _clock);
    }

    internal TimerServiceDriver Kind { get; }

    /// <summary>
    /// The tick at which the driver will wake, or has woken; <see cref="TimerWheel.Never"/> if nothing is pending.
    /// </summary>
    internal long NextWakeTick => Volatile.Read(ref _nextWakeTick);

    internal long WakeUps => Volatile.Read(ref _wakeUps);

    public void Dispose() => _source.Dispose();

    /// <summary>Called by one thread at a time, before it creates a queue or takes one over.</summary>
    public void Start() => _source.Start();

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
            _source.Arm();
            return;
        }
    }

    /// <summary>Serves what is due. Called when the clock has rung, on any thread.</summary>
    internal void Serve()
    {
        if (_queues.IsShared)
        {
            ServeInOrder();
            return;
        }

        // The thread that finds the driver idle serves. Other threads only count their wake-ups, and the serving thread
        // makes another pass: each pass serves the wake-ups that were counted before it.
        var unserved = Interlocked.Increment(ref _unserved);
        if (unserved != 1)
        {
            return;
        }

        int served;
        do
        {
            served = unserved;
            Pass();
            unserved = Interlocked.CompareExchange(ref _unserved, 0, served);
        }
        while (unserved != served);

        _waiting.AfterPasses();
    }

    /// <summary>Serves what is due, in no order. Called by one thread at a time.</summary>
    internal void Pass()
    {
        // The pass counts as a running worker while timers are between wheel and batch, so that a wait for callbacks
        // does not miss them.
        _dispatcher.BeginWorker();
        var nowTick = _clock.NowTick();
        _waiting.BeginPass(nowTick);
        while (ServeRound(nowTick))
        {
            nowTick = _clock.NowTick();
        }

        Volatile.Write(ref _wakeUps, _wakeUps + 1);
        Announce(notBefore: 0, notAfter: _waiting.EndPass(nowTick));
        _dispatcher.EndWorker();
    }

    /// <returns>Whether a queue has more to do.</returns>
    private bool ServeRound(long nowTick)
    {
        FiringBatch? batch = null;
        var hasMore = false;
        foreach (var queue in _queues.All)
        {
            if (queue.EarliestTick > nowTick)
            {
                continue;
            }

            batch ??= _dispatcher.Rent();
            hasMore |= queue.Expire(nowTick, batch);
            if (batch.Count == FiringBatch.Capacity)
            {
                Start(batch, nowTick);
                batch = null;
            }
        }

        if (batch is not null)
        {
            Start(batch, nowTick);
        }

        return hasMore;
    }

    private void Start(FiringBatch batch, long nowTick)
    {
        // Code after a wait may block, so it never runs here. It is queued first.
        var callbacks = _firesHere ? batch.TakeCallbacks() : null;
        if (batch.Count > 0)
        {
            _waiting.Start(batch, _clock.Now(), nowTick);
        }
        else
        {
            _dispatcher.Return(batch);
        }

        callbacks?.Start(onThisThread: true, _clock.Now());
    }

    private void ServeInOrder()
    {
        Interlocked.Increment(ref _wakeUps);

        // The driver counts as a running worker while a timer is between wheel and callback, so that a wait for
        // callbacks does not miss it.
        _dispatcher.BeginWorker();
        try
        {
            foreach (var queue in _queues.All)
            {
                FireInOrder(queue);
            }
        }
        finally
        {
            _dispatcher.EndWorker();

            // Even if a callback throws and nothing logs it, the clock must ring for the timers after it.
            Announce(notBefore: 0);
        }
    }

    private void FireInOrder(TimerQueue queue)
    {
        // A callback that advances the clock re-enters this method, so each call has its own batch.
        var batch = _dispatcher.Rent();
        bool hasMore;
        do
        {
            hasMore = queue.Expire(_clock.NowTick(), batch, maxCount: 1);
            if (batch.TryTakeOne(out var item, out var deadlineTick))
            {
                // The callback may itself advance the clock. The alarm must then ring for what is due after this tick.
                // This loop takes the rest of this tick.
                hasMore = true;
                Announce(notBefore: _clock.NowTick() + 1);
                _dispatcher.FireHere(item, deadlineTick);
            }
        }
        while (hasMore);

        _dispatcher.Return(batch);
    }

    private void Announce(long notBefore, long notAfter = TimerWheel.Never)
    {
        var earliest = Math.Min(notAfter, Math.Max(notBefore, _queues.EarliestTick()));
        while (true)
        {
            // Announce first, then look again: a full fence, paired with the one in TimerQueue.AnnounceAndExit.
            Interlocked.Exchange(ref _nextWakeTick, earliest);
            var seen = Math.Min(notAfter, Math.Max(notBefore, _queues.EarliestTick()));
            if (seen >= earliest)
            {
                break;
            }

            earliest = seen;
        }

        _source.Arm();
    }
}

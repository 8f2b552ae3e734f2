using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Queues;

namespace ScalableTimers.Driving;

/// <summary>Fires what has expired in batches, on the pool.</summary>
/// <remarks>
/// Each wake-up is a pass over the queues in rounds. In each round, every queue that has something to do takes one
/// bounded step, and what expired is fired at the end, so no queue holds up another. Each round reads the clock, so a
/// long pass also serves what comes due during it. When a clock rings during a pass, another pass follows it.
/// </remarks>
internal sealed class RoundDriver : TimerDriver
{
    // Guards
    //   _unserved             interlocked: the number of wake-ups since the driver was last idle; 0 while it is idle
    //   _source, _isOnPool    the driver's thread, when it ends
    //   _isUrgent             the driver, in a pass: whether its batches go before the pool's other work
    private IWakeSource _source;
    private bool _isOnPool;
    private bool? _isUrgent;
    private int _unserved;

    public RoundDriver(QueueRegistry queues, TimerServiceDriver kind)
        : base(queues)
    {
        Kind = kind;
        _isOnPool = kind == TimerServiceDriver.Timer && ReferenceEquals(Clock.Provider, TimeProvider.System);
        _source = kind == TimerServiceDriver.Timer
            ? new ClockWakeSource(this, Clock)
            : new ThreadWakeSource(this, Clock);
    }

    internal override TimerServiceDriver Kind { get; }

    internal override IWakeSource Source => Volatile.Read(ref _source);

    internal override void Serve()
    {
        // The thread that finds the driver idle serves. Other threads only count their wake-ups, and the serving thread
        // makes another pass: each pass serves the wake-ups that were counted before it.
        var unserved = Interlocked.Increment(ref _unserved);
        if (unserved != 1)
        {
            return;
        }

        if (_isOnPool)
        {
            // The thread is free for what is urgent when it has served. If it left that to others, it would first take
            // other work.
            Dispatcher.Urgent.BeCalled();
        }

        int served;
        do
        {
            served = unserved;
            Pass();
            unserved = Interlocked.CompareExchange(ref _unserved, 0, served);
        }
        while (unserved != served);

        if (_isOnPool)
        {
            // Callbacks may block, so the driver must be idle again.
            Dispatcher.Urgent.Serve();
        }
    }

    /// <summary>Lets a timer of the clock wake the driver from now on. Called by its thread, which then ends.</summary>
    internal void GoOnWithoutThread()
    {
        // Replace the source, then look at every queue, as each announcement does after a full fence. A thread that has
        // published an earlier deadline is seen by this look, or arms the new source.
        _isOnPool = true;
        Volatile.Write(ref _source, new ClockWakeSource(this, Clock));
        Announce();
    }

    /// <summary>Serves what is due, in no order. Called by one thread at a time.</summary>
    internal void Pass()
    {
        // The pass counts as a running worker while timers are between wheel and batch, so that a wait for callbacks
        // does not miss them.
        Dispatcher.Workers.Begin();
        _isUrgent = null;
        while (ServeRound(Clock.NowTick()))
        {
        }

        CountWakeUp();
        Announce();
        Dispatcher.Workers.End();
    }

    /// <returns>Whether a queue has more to do.</returns>
    private bool ServeRound(long nowTick)
    {
        FiringBatch? batch = null;
        var hasMore = false;
        foreach (var queue in Queues.All)
        {
            if (queue.EarliestTick > nowTick)
            {
                continue;
            }

            batch ??= Dispatcher.Rent();
            hasMore |= queue.Expire(nowTick, batch);
            if (batch.Count == FiringBatch.Capacity)
            {
                Start(batch);
                batch = null;
            }
        }

        if (batch is not null)
        {
            Start(batch);
        }

        return hasMore;
    }

    private void Start(FiringBatch batch)
    {
        if (batch.Count > 0)
        {
            var now = Clock.Now();
            if (_isUrgent is null)
            {
                // Found out once in a pass: afterwards its own batches are queued.
                var isNeeded = UrgentBatches.AreNeeded(_isOnPool);
                _isUrgent = isNeeded && Dispatcher.Urgent.AreAffordable(now);
                if (isNeeded && !_isUrgent.Value)
                {
                    StartFirst(batch, now);
                }
            }

            if (batch.Count > 0)
            {
                batch.Start(now, _isUrgent.Value);
                return;
            }
        }

        Dispatcher.Return(batch);
    }

    // Lets one item go first, as of .NET's timers that are due together one does.
    private void StartFirst(FiringBatch batch, Timestamp now)
    {
        if (Dispatcher.Urgent.IsOneAffordable(now))
        {
            var first = Dispatcher.Rent();
            batch.MoveNewestTo(first);
            first.Start(now, isUrgent: true, isFirst: true);
        }
    }
}

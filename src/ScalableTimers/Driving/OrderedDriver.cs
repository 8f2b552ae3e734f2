using ScalableTimers.Queues;

namespace ScalableTimers.Driving;

/// <summary>
/// Fires in order, in virtual time: takes out one timer, runs it inside the clock's own callback, and looks again.
/// </summary>
/// <remarks>So when the call that advances the clock returns, everything due has run.</remarks>
internal sealed class OrderedDriver : TimerDriver
{
    public OrderedDriver(QueueRegistry queues)
        : base(queues) => Source = new ClockWakeSource(this, Clock);

    internal override TimerServiceDriver Kind => TimerServiceDriver.Timer;

    internal override IWakeSource Source { get; }

    internal override void Serve()
    {
        CountWakeUp();

        // The driver counts as a running worker while a timer is between wheel and callback, so that a wait for
        // callbacks does not miss it.
        Dispatcher.Workers.Begin();
        try
        {
            foreach (var queue in Queues.All)
            {
                Fire(queue);
            }
        }
        finally
        {
            Dispatcher.Workers.End();

            // Even if a callback throws and nothing logs it, the clock must ring for the timers after it.
            Announce();
        }
    }

    private void Fire(TimerQueue queue)
    {
        // A callback that advances the clock re-enters this method, so each call has its own batch.
        var batch = Dispatcher.Rent();
        bool hasMore;
        do
        {
            hasMore = queue.Expire(Clock.NowTick(), batch, maxCount: 1);
            if (batch.TryTakeOne(out var item, out var deadlineTick))
            {
                // The callback may itself advance the clock. The alarm must then ring for what is due after this tick.
                // This loop takes the rest of this tick.
                hasMore = true;
                try
                {
                    Announce(notBefore: Clock.NowTick() + 1);
                }
                finally
                {
                    // Also if the clock throws: the timer has been taken out.
                    Dispatcher.FireHere(item, deadlineTick);
                }
            }
        }
        while (hasMore);

        Dispatcher.Return(batch);
    }
}

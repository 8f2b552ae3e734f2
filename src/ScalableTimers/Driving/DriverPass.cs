using ScalableTimers.Clock;
using ScalableTimers.Collections;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>
/// One wake-up of the driver. It takes out of each collection what is due by then and fires it in batches.
/// </summary>
/// <remarks>
/// <para>
/// A pass reads the present tick once and uses it for all collections, so that a busy collection does not starve the
/// others. A late pass takes out more and skips nothing. A timer that is added meanwhile has a deadline of its own.
/// </para>
/// <para>
/// Batches go to the pool. With a watchdog, while a thread watches, the driving thread runs each batch itself as soon
/// as it is full, while what the batch refers to is in the cache. If the driving thread is behind, full batches go to
/// the pool all the same, and the other processors help.
/// </para>
/// </remarks>
internal sealed class DriverPass(
    TimerDriver driver,
    TickClock clock,
    CollectionRegistry collections,
    FiringDispatcher dispatcher,
    FiringWatchdog? watchdog)
{
    /// <summary>How many ticks a driving thread may be behind and still run full batches itself.</summary>
    private const int LargestLag = 1;

    /// <summary>Serves what is due. Called by one thread at a time.</summary>
    /// <returns>
    /// False if the calling thread has been replaced meanwhile. Then the thread that drives now begins a pass of its
    /// own.
    /// </returns>
    internal bool Run()
    {
        // The pass counts as a running worker while timers are between wheel and batch, so that a wait for callbacks
        // does not miss them.
        dispatcher.EnterWorker();
        long began = 0;
        FiringBatch? batch = null;
        try
        {
            began = driver.BeginPass();
            var nowTick = clock.TickAt(began);
            foreach (var collection in collections.All)
            {
                if (collection.EarliestTick <= nowTick && !TryServe(collection, nowTick, ref batch))
                {
                    return false;
                }
            }

            if (batch is not null)
            {
                var now = clock.Now();
                var last = batch;
                batch = null;
                if (!TryFire(last, now))
                {
                    return false;
                }
            }
        }
        catch
        {
            // The clock has failed. No wheel holds the timers that have been taken out, so they fire all the same. And
            // the driver must not count as awake any longer.
            if (batch is not null)
            {
                FireOnPool(batch, began);
            }

            End();
            throw;
        }

        End();
        return true;
    }

    private void End()
    {
        try
        {
            driver.EndPass();
        }
        finally
        {
            dispatcher.ExitWorker();
        }
    }

    private bool TryServe(TimerCollection collection, long nowTick, ref FiringBatch? batch)
    {
        bool hasMore;
        do
        {
            batch ??= dispatcher.Rent();
            hasMore = Expire(collection, nowTick, batch, out var now, out var oldestTick);
            if (batch.IsFull)
            {
                var full = batch;
                batch = null;
                if (clock.TickAt(now) - oldestTick > LargestLag)
                {
                    FireOnPool(full, now);
                }
                else if (!TryFire(full, now))
                {
                    return false;
                }
            }
        }
        while (hasMore);

        return true;
    }

    private bool Expire(TimerCollection collection, long nowTick, FiringBatch batch, out long now, out long oldestTick)
    {
        // The clock is read first: if it fails, no timer has been taken out that would have to fire.
        oldestTick = TimerWheel.Never;
        now = clock.Now();
        var hasMore = collection.Expire(nowTick, batch, ref oldestTick);
        driver.NoteLag(oldestTick, now);
        return hasMore;
    }

    private void FireOnPool(FiringBatch batch, long now)
    {
        if (batch.Count > 0)
        {
            batch.Queue(now);
        }
        else
        {
            dispatcher.Return(batch);
        }
    }

    private bool TryFire(FiringBatch batch, long now)
    {
        if (watchdog is null || batch.Count == 0)
        {
            FireOnPool(batch, now);
            return true;
        }

        // The batch now has a worker: this thread or a pool thread. From here on another thread may join in.
        batch.Begin(now);
        if (!watchdog.TryBegin(batch))
        {
            batch.QueueBegun();
            return true;
        }

        // The end of the batch exits the worker that this pass has entered. So a callback that waits for all others
        // does not wait for the pass.
        batch.RunHere();
        if (!watchdog.TryEnd())
        {
            return false;
        }

        dispatcher.EnterWorker();
        return true;
    }
}

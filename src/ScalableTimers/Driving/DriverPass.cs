using ScalableTimers.Clock;
using ScalableTimers.Collections;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>
/// One wake-up of the driver: takes out of each collection what is due by then, and has it fired in batches.
/// </summary>
/// <remarks>
/// <para>
/// A pass knows one tick as the present and goes through all collections with it, so that a busy one does not starve
/// the others. A late pass takes out more; it skips nothing, and what is added meanwhile has a deadline of its own.
/// </para>
/// <para>
/// Batches go to the pool. With a watchdog, and a thread that watches, the thread runs each batch itself as soon as it
/// is full, while what it refers to is in the cache. If it is behind, full batches go to the pool all the same, and the
/// other processors help.
/// </para>
/// </remarks>
internal sealed class DriverPass(
    TimerDriver driver,
    TickClock clock,
    CollectionRegistry collections,
    FiringDispatcher dispatcher,
    FiringWatchdog? watchdog)
{
    /// <summary>How far a thread that fires itself may be behind and still do everything.</summary>
    private const int LargestLag = 1;

    /// <summary>Serves what is due. Called by one thread at a time.</summary>
    /// <returns>
    /// False if the calling thread has been replaced meanwhile. Then the one that drives now begins anew.
    /// </returns>
    internal bool Run()
    {
        // Counted as running while timers are between wheel and batch, so that waiting for callbacks does not miss
        // them.
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
            // The clock has failed. No wheel holds what has been taken out, so it fires all the same; and the driver
            // must not count as awake.
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

    /// <summary>Takes out one batch at most and gives it to the pool. Called by any thread, at any time.</summary>
    internal void RunStep(TimerCollection collection, long nowTick)
    {
        dispatcher.EnterWorker();
        try
        {
            var batch = dispatcher.Rent();
            _ = Expire(collection, nowTick, batch, out var now, out _);
            FireOnPool(batch, now);
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
        // The clock is read first: when it fails, nothing has been taken out that would have to fire.
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

        // From here on somebody else may join in: it has a worker, which is this thread or one of the pool.
        batch.Begin(now);
        if (!watchdog.TryBegin(batch))
        {
            batch.QueueBegun();
            return true;
        }

        // The batch leaves as the worker that this pass has entered as: a callback that waits for all others must not
        // wait for the pass.
        batch.RunHere();
        if (!watchdog.TryEnd())
        {
            return false;
        }

        dispatcher.EnterWorker();
        return true;
    }
}

using ScalableTimers.Collections;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving.DriverThreads;

/// <summary>One wake-up of a driver that fires itself: takes out a batch, runs it, and goes on where it was.</summary>
/// <remarks>
/// A pass knows one tick as the present and goes through all collections with it, so that a busy one does not starve the others. A batch is run as soon
/// as it is full, while what it refers to is in the cache. If the leader is behind, full batches go to the pool, and the
/// other processors help.
/// </remarks>
internal sealed class LeaderPass(TimerDriver driver, TickClock clock, CollectionRegistry collections, FiringDispatcher dispatcher, FiringWatch watch)
{
    /// <summary>How far the leader may be behind and still do everything itself.</summary>
    private const int LargestLag = 1;

    /// <summary>Serves what is due.</summary>
    /// <returns>False if the calling thread has been relieved meanwhile. Then the one that leads now begins anew.</returns>
    internal bool Run()
    {
        // Counted as running while timers are between wheel and batch, so that waiting for callbacks does not miss them.
        dispatcher.EnterWorker();
        var nowTick = clock.TickAt(driver.BeginPass());
        FiringBatch? batch = null;
        foreach (var collection in collections.All)
        {
            if (collection.EarliestTick <= nowTick && !TryServe(collection, nowTick, ref batch))
            {
                return false;
            }
        }

        if (batch is { Count: > 0 })
        {
            if (!TryRun(batch, clock.Now()))
            {
                return false;
            }
        }
        else if (batch is not null)
        {
            dispatcher.Return(batch);
        }

        driver.EndPass();
        dispatcher.ExitWorker();
        return true;
    }

    private bool TryServe(TimerCollection collection, long nowTick, ref FiringBatch? batch)
    {
        bool hasMore;
        do
        {
            batch ??= dispatcher.Rent();
            var oldestTick = TimerWheel.Never;
            hasMore = collection.Expire(nowTick, batch, ref oldestTick);
            var now = clock.Now();
            driver.NoteLag(oldestTick, now);
            if (batch.IsFull)
            {
                var full = batch;
                batch = null;
                if (clock.TickAt(now) - oldestTick > LargestLag)
                {
                    full.Queue(now);
                }
                else if (!TryRun(full, now))
                {
                    return false;
                }
            }
        }
        while (hasMore);

        return true;
    }

    private bool TryRun(FiringBatch batch, long now)
    {
        // From here on somebody else may join in: it has a worker, which is this thread or one of the pool.
        batch.Begin(now);
        if (!watch.TryBegin(batch))
        {
            batch.QueueBegun();
            return true;
        }

        // The batch leaves as the worker that this pass has entered as: a callback that waits for all others must not wait for the pass.
        batch.RunHere();
        if (!watch.TryEnd())
        {
            return false;
        }

        dispatcher.EnterWorker();
        return true;
    }
}

using ScalableTimers.Driving;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Exploration.Scenarios.Firing;

/// <summary>Batches are run by several threads, handed on, and used again.</summary>
internal static class Batches
{
    /// <summary>
    /// Two pool threads run a batch. It is then rented, filled and queued again, beside the worker that finds nothing
    /// left. Each item runs once, and the batch is returned once each time.
    /// </summary>
    [Scenario]
    internal static void BatchUsedAgain(Interleaving run)
    {
        var stage = new BatchStage(run);
        var first = stage.Fill(3);
        run.Run("driver", () =>
        {
            first.Start(now: default);
            run.Pool.Drain();
            stage.Fill(2).Start(now: default);
            run.Pool.Drain();
        });
        run.PoolThreads(1);
        run.Check(() =>
        {
            stage.RequireOver();
            FiringBatch[] batches = [stage.Dispatcher.Rent(), stage.Dispatcher.Rent(), stage.Dispatcher.Rent()];
            Require(batches.Distinct().Count() == batches.Length, "A batch was given back twice.");
            Require(batches.Contains(first), "A batch was not given back.");
            Require(Array.TrueForAll(batches, static batch => batch.Count == 0), "A batch was given back with items.");
        });
    }

    /// <summary>
    /// A batch that no thread has begun within a tick is offered again, while a pool thread begins it after all. Each
    /// item runs once, the batch is returned once, and it may be used again.
    /// </summary>
    [Scenario]
    internal static void BatchOfferedAgain(Interleaving run)
    {
        var stage = new BatchStage(run);
        var waiting = new WaitingBatches(rareLook: 1, patience: 100);
        var isOver = false;
        var started = new List<FiringBatch>();
        run.Run("driver", () =>
        {
            StartAndLook(stage.Fill(2), 0);
            StartAndLook(stage.Fill(1), 1);
            isOver = true;
        });
        run.Run("timer", () =>
        {
            run.WaitUntil(() => isOver || run.Clock.ArmedTimers > 0, "offer");
            Take();
        });
        run.PoolThreads(1);
        run.Check(() =>
        {
            Take();
            stage.RequireOver();
            waiting.BeginPass(3);
            Require(waiting.EndPass(3) == TimerWheel.Never, "The driver looks for batches that are over.");
            FiringBatch[] batches = [stage.Dispatcher.Rent(), stage.Dispatcher.Rent(), stage.Dispatcher.Rent()];
            Require(batches.Distinct().Count() == batches.Length, "A batch was given back twice.");
            Require(started.TrueForAll(batches.Contains), "A batch was not given back.");
            Require(Array.TrueForAll(batches, static batch => batch.Count == 0), "A batch was given back with items.");
        });

        void StartAndLook(FiringBatch batch, long tick)
        {
            started.Add(batch);
            waiting.Start(batch, now: default, tick);
            waiting.BeginPass(tick + 1);
            waiting.EndPass(tick + 1);
        }

        void Take() => run.Clock.Advance(TimeSpan.Zero);
    }

    /// <summary>
    /// No thread of the pool is free, and the one that takes a batch's offer is blocked by its first item. The rest is
    /// offered again.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void BatchOfferedOnceMore(Interleaving run)
    {
        var stage = new BatchStage(run);
        var waiting = new WaitingBatches(rareLook: 1, patience: 100);
        var isBlocked = false;
        var batch = stage.Fill(
            () =>
            {
                isBlocked = true;
                run.WaitUntil(() => stage.HasRun(1), "second item");
            },
            static () => { });
        run.Run("driver", () =>
        {
            waiting.Start(batch, now: default, nowTick: 0);
            Look(1);
            run.WaitUntil(() => isBlocked, "first item");

            // Since the last look an item has been taken; after this one none is.
            Look(2);
            Look(3);
        });
        run.Run("timer", () => Ring(() => true));
        run.Run("timer again", () => Ring(() => isBlocked));
        run.Check(stage.RequireOver);

        void Look(long tick)
        {
            waiting.BeginPass(tick);
            waiting.EndPass(tick);
        }

        void Ring(Func<bool> isNext)
        {
            run.WaitUntil(() => isNext() && run.Clock.ArmedTimers > 0, "offer");
            run.Clock.Advance(TimeSpan.Zero);
        }
    }

    /// <summary>
    /// No thread takes a batch's offer, because .NET's timer waits for one too. So the batch gets a thread of its own.
    /// </summary>
    [Scenario]
    internal static void BatchThatNoTimerBrings(Interleaving run)
    {
        var stage = new BatchStage(run);
        var waiting = new WaitingBatches(rareLook: 1, patience: 2);
        var batch = stage.Fill(2);
        run.Run("driver", () =>
        {
            waiting.Start(batch, now: default, nowTick: 0);
            for (var tick = 1; tick <= 3; tick++)
            {
                waiting.BeginPass(tick);
                waiting.EndPass(tick);
            }

            run.WaitUntil(() => stage.HasRun(0) && stage.HasRun(1), "batch");
        });
        run.Check(stage.RequireOver);
    }

    /// <summary>
    /// One of .NET's timers calls the driver, and no other thread of the pool is free: its thread runs the batch
    /// itself, instead of setting another timer and taking other work first.
    /// </summary>
    [Scenario]
    internal static void BatchOfADriverOnThePool(Interleaving run)
    {
        var stage = new BatchStage(run);
        var waiting = new WaitingBatches(rareLook: 1, patience: 100) { IsOnPool = true };
        var batch = stage.Fill(2);
        run.Run("driver", () =>
        {
            waiting.Start(batch, now: default, nowTick: 0);
            waiting.BeginPass(1);
            waiting.EndPass(1);
            waiting.AfterPasses();
            Require(stage.HasRun(0) && stage.HasRun(1), "The driver has left the batch to others.");
            Require(run.Clock.ArmedTimers == 0, "The driver has set another timer.");
        });
        run.Check(stage.RequireOver);
    }

    /// <summary>
    /// Two threads begin a batch that has waited long for one. Its items are counted as late once.
    /// </summary>
    [Scenario]
    internal static void LateBatchBegunByTwo(Interleaving run)
    {
        var stage = new BatchStage(run);
        var batch = stage.Fill(2);
        run.Run(
            "timer",
            prepare: () =>
            {
                batch.Start(now: default);
                Require(batch.TryOffer(), "A batch that waits was not offered.");
                run.Clock.PassTo(Ticks(60).Ticks);
            },
            body: batch.RunOffered);
        run.PoolThreads(1);
        run.Check(() =>
        {
            stage.RequireOver();
            var late = stage.Dispatcher.Watch.Late;
            Require(late is 1 or 2, $"{late} of two items are counted as late.");
        });
    }

    /// <summary>
    /// Two callbacks throw at once while a thread takes snapshots. No failure is lost, and the counts never decrease.
    /// </summary>
    [Scenario]
    internal static void CallbacksThatThrow(Interleaving run)
    {
        var stage = new BatchStage(run);
        var dispatcher = stage.Dispatcher;
        foreach (var name in new[] { "fires", "fires too" })
        {
            run.Run(
                name, () => stage.Fire(static () => throw new InvalidOperationException("It fails.")), kind: "fires");
        }

        run.Run("reads", () =>
        {
            var (fired, failed) = (dispatcher.Fired, dispatcher.Failed);
            run.WaitUntil(() => run.HasEnded("fires") && run.HasEnded("fires too"), "end of the callbacks");
            Require(fired <= 2 && failed <= 2, "More have fired than there are.");
            Require(
                dispatcher is { Fired: 2, Failed: 2 },
                $"{dispatcher.Fired} have fired and {dispatcher.Failed} failed, of two.");
        });
    }
}

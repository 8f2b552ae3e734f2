using ScalableTimers.Firing;

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
    /// Urgent batches are begun by two pool threads. Each item runs once, no batch is left, and each is returned once.
    /// </summary>
    [Scenario]
    internal static void UrgentBatches(Interleaving run)
    {
        var stage = new BatchStage(run);
        FiringBatch[] started = [stage.Fill(1), stage.Fill(1), stage.Fill(1)];
        run.Run("driver", () =>
        {
            Array.ForEach(started, static batch => batch.Start(now: default, isUrgent: true));
            run.WaitUntil(() => stage.HasRun(0) && stage.HasRun(1) && stage.HasRun(2), "items");
        });
        run.PoolThreads(2);
        run.Check(() =>
        {
            stage.RequireOver();
            FiringBatch[] batches = [stage.Dispatcher.Rent(), stage.Dispatcher.Rent(), stage.Dispatcher.Rent()];
            Require(Array.TrueForAll(started, batches.Contains), "A batch was not given back.");
            Require(Array.TrueForAll(batches, static batch => batch.Count == 0), "A batch was given back with items.");
        });
    }

    /// <summary>
    /// A pool thread is blocked by the first item of an urgent batch until the rest and a later batch have run. Another
    /// thread comes for both, whether or not the batch is handed on before other work.
    /// </summary>
    [Scenario]
    internal static void UrgentBatchThatBlocks(Interleaving run)
    {
        var stage = new BatchStage(run);
        FiringBatch[] batches =
        [
            stage.Fill(() => run.WaitUntil(() => stage.HasRun(1) && stage.HasRun(2), "others"), static () => { }),
            stage.Fill(1),
        ];
        run.Run("driver", () =>
        {
            ThreadPool.UnsafeQueueUserWorkItem(static _ => { }, null);
            Array.ForEach(batches, static batch => batch.Start(now: default, isUrgent: true));
            run.WaitUntil(() => stage.HasRun(0), "first item");
        });
        run.PoolThreads(2);
        run.Check(stage.RequireOver);
    }

    /// <summary>
    /// The first item of a batch takes so long that its thread goes back to the pool, as does the one that runs the
    /// second. Each item runs once, in a batch that is urgent and in one that is not.
    /// </summary>
    [Scenario]
    internal static void BatchWhoseItemsTakeLong(Interleaving run)
    {
        var stage = new BatchStage(run);
        void TakeLong() => run.Clock.PassTo(run.Clock.Now + TimeSpan.FromSeconds(0.1).Ticks);
        var urgent = stage.Fill(TakeLong, TakeLong, static () => { });
        var other = stage.Fill(TakeLong, static () => { });
        run.Run("driver", () =>
        {
            other.Start(now: default);
            urgent.Start(now: default, isUrgent: true);
            run.WaitUntil(() => Enumerable.Range(0, 5).All(stage.HasRun), "items");
        });
        run.PoolThreads(2);
        run.Check(stage.RequireOver);
    }

    /// <summary>
    /// One of .NET's timers calls the driver, and no other thread of the pool is free: its thread runs what is urgent,
    /// and what another thread adds.
    /// </summary>
    [Scenario]
    internal static void UrgentBatchOfADriverOnThePool(Interleaving run)
    {
        var stage = new BatchStage(run);
        var urgent = stage.Dispatcher.Urgent;
        var (batch, other) = (stage.Fill(1), stage.Fill(1));
        run.Run("driver", () =>
        {
            urgent.BeCalled();
            batch.Start(now: default, isUrgent: true);
            urgent.Serve();
            run.WaitUntil(() => stage.HasRun(0) && stage.HasRun(1), "items");
        });
        run.Run("hands on", () => other.Start(now: default, isUrgent: true));
        run.PoolThreads(1);
        run.Check(stage.RequireOver);
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

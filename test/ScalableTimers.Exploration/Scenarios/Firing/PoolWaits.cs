using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;
using static ScalableTimers.Exploration.Engine.Interleaving;

namespace ScalableTimers.Exploration.Scenarios.Firing;

/// <summary>Callbacks wait for the pool, which is measured and logged.</summary>
internal static class PoolWaits
{
    /// <summary>
    /// Two batches have waited for the pool for too long. Each item that waited is counted, the longest wait is kept,
    /// and there is one warning.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void BatchWaitsForThePool(Interleaving run)
    {
        var logger = new CountingLogger();
        var stage = new BatchStage(run, logger);
        run.Run(
            "queues",
            prepare: () =>
            {
                for (var i = 0; i < 2; i++)
                {
                    stage.Fill(1).Queue(run.Clock.Now);
                    stage.PassTo(seconds: i + 1);
                }
            },
            body: () =>
            {
                stage.WaitForAll();
                stage.RequireTwoLate();
                Require(logger.Count(2) == 1, $"There were {logger.Count(2)} warnings.");
                Require(stage.Dispatcher is { Fired: 2, Failed: 0 }, "The figures are wrong.");
            });
        run.PoolThreads(2);
    }

    /// <summary>
    /// A batch that a thread has run for a while is handed on to a pool that is late. The reported wait begins when the
    /// batch is handed on. The same holds for the batch's next life.
    /// </summary>
    [Scenario]
    internal static void BatchHandedOnLate(Interleaving run)
    {
        var stage = new BatchStage(run);
        bool isPoolReady = false, isPoolDone = false;
        FiringBatch? batch = null;
        batch = stage.Fill(
            () =>
            {
                stage.PassTo(seconds: 10);
                batch!.HandOn(run.Clock.Now);
                stage.PassTo(seconds: 12);
                isPoolReady = true;
                run.WaitUntil(() => stage.HasRun(1), "the second item");
            },
            static () => { });
        run.Run("firing thread", () =>
        {
            stage.PassTo(seconds: 1);
            stage.RunHere(batch);

            // The batch is queued, and a worker takes it a second later.
            run.WaitUntil(() => isPoolDone, "the pool");
            stage.Dispatcher.EnterWorker();
            stage.Fill(1).Queue(run.Clock.Now);
            stage.Dispatcher.ExitWorker();
        });
        run.Run("pool", () =>
        {
            run.WaitUntil(() => isPoolReady, "handing on");
            run.Pool.Drain();
            isPoolDone = true;
            run.WaitUntil(() => run.HasEnded("firing thread"), "the firing thread");
            stage.PassTo(seconds: 13);
            run.Pool.Drain();
            stage.RequireTwoLate();
        });
        run.Check(stage.RequireOver);
    }

    /// <summary>
    /// Two threads find in turn that callbacks wait for the pool, ten seconds after the last warning: each is to warn.
    /// </summary>
    [Scenario]
    internal static void WarningsOfTwoThreads(Interleaving run)
    {
        var dispatcher = new BatchStage(run).Dispatcher;
        var step = 0;
        run.Run("one", () =>
        {
            Warn(0);
            Warn(2);
        });
        run.Run("other", () => Warn(1));
        run.Check(() => Require(step == 3, $"{step} of three warnings are to be given."));

        void Warn(int number)
        {
            run.WaitUntil(() => step == number, $"warning {number}");
            var now = TimeSpan.FromSeconds(10 * (number + 1)).Ticks;
            Require(dispatcher.AddLate(1, now), $"Warning {number} is not to be given.");
            Require(!dispatcher.AddLate(1, now + 1), $"Warning {number} is to be given twice.");
            step++;
        }
    }
}

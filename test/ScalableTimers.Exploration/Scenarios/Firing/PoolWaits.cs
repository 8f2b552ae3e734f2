using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios.Firing;

/// <summary>Callbacks wait for the pool. The wait is measured and logged.</summary>
internal static class PoolWaits
{
    /// <summary>
    /// Two threads run two batches three times. Once, these have waited too long for the pool: each late item gets a
    /// worker and is counted, and there is one warning.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void BatchWaitsForThePool(Interleaving run)
    {
        var logger = new CountingLogger();
        var stage = new BatchStage(run, logger);
        int queued = 0, drained = 0;
        run.Run("queues", () =>
        {
            for (var i = 1; i <= 3; i++)
            {
                run.Clock.PassTo(TimeSpan.FromSeconds(10 * i).Ticks);
                FiringBatch[] batches = [stage.Fill(2), stage.Fill(1)];
                Array.ForEach(batches, batch => batch.Start(new Timestamp(run.Clock.Now)));
                run.Clock.PassTo(TimeSpan.FromSeconds((10 * i) + (i == 2 ? 1 : 0)).Ticks);
                queued++;
                run.WaitUntil(() => drained == 2 * queued, "both workers");
            }

            var late = stage.Dispatcher.Watch.Late;
            Require(late == 3, $"{late} firings are counted as late, of three.");
            Require(logger.Count(2) == 1, $"There were {logger.Count(2)} warnings.");
        });
        for (var i = 0; i < 2; i++)
        {
            run.Run("works", () =>
            {
                for (var round = 1; round <= 3; round++)
                {
                    var number = round;
                    run.WaitUntil(() => queued == number, "the batch");
                    run.Pool.Drain();
                    drained++;
                }
            }, kind: "works");
        }

        run.Check(stage.RequireOver);
    }

    /// <summary>
    /// Two threads in turn find callbacks waiting for the pool, ten seconds after the last warning: each must warn.
    /// </summary>
    [Scenario]
    internal static void WarningsOfTwoThreads(Interleaving run)
    {
        var logger = new CountingLogger();
        var watch = new BatchStage(run, logger).Dispatcher.Watch;
        var step = 0;
        run.Run("one", () =>
        {
            Warn(0);
            Warn(2);
        });
        run.Run("other", () => Warn(1));
        run.Check(() => Require(step == 3, $"There were {step} of three long waits."));

        void Warn(int number)
        {
            run.WaitUntil(() => step == number, $"warning {number}");
            var queuedAt = TimeSpan.FromSeconds(10 * (number + 1)).Ticks;
            watch.AddLate(1, new Timestamp(queuedAt), new Duration(0));
            Require(logger.Count(2) == number + 1, $"Warning {number} was not given.");
            watch.AddLate(1, new Timestamp(queuedAt), new Duration(1));
            Require(logger.Count(2) == number + 1, $"Warning {number} was given twice.");
            step++;
        }
    }
}

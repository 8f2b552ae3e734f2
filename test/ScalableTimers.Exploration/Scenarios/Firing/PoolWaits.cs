using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;
using static ScalableTimers.Exploration.Engine.Interleaving;

namespace ScalableTimers.Exploration.Scenarios.Firing;

/// <summary>Callbacks wait for the pool, which is measured and logged.</summary>
internal static class PoolWaits
{
    /// <summary>
    /// Two batches have waited for the pool for too long. Each item that waited is counted, and there is one warning.
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
                    run.Clock.PassTo(TimeSpan.FromSeconds(i + 1).Ticks);
                }
            },
            body: () =>
            {
                stage.WaitForOthers();
                Require(stage.Dispatcher.Late == 2, $"{stage.Dispatcher.Late} firings are counted as late.");
                Require(logger.Count(2) == 1, $"There were {logger.Count(2)} warnings.");
                Require(stage.Dispatcher is { Fired: 2, Failed: 0 }, "The figures are wrong.");
            });
        run.PoolThreads(2);
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

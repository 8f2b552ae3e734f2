using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Exploration.Engine;
using static ScalableTimers.Exploration.Engine.Interleaving;
using static ScalableTimers.Exploration.Scenarios.Stage;

namespace ScalableTimers.Exploration.Scenarios.Driving;

/// <summary>The figures of a driver are read.</summary>
internal static class Figures
{
    /// <summary>
    /// A thread reads a service's figures before and after all is late and a callback fails: the figures show it.
    /// </summary>
    [Scenario]
    internal static void FiguresReadAgain(Interleaving run)
    {
        var stage = new Stage(run, logger: NullLogger.Instance);
        var before = new TimerServiceSnapshot();
        var hasRead = false;
        run.Run("driver", () =>
        {
            run.WaitUntil(() => hasRead, "the first figures");

            // The pool runs the driver, four ticks late.
            stage.Schedule(1);
            stage.PassTo(5);
            run.Pool.Drain();

            // It runs the callback two seconds after the driver has queued it.
            stage.Service.Schedule(
                static _ => throw new InvalidOperationException("Thrown by the scenario."), null, Ticks(1));
            stage.Advance(1);
            stage.Clock.PassTo(TimeSpan.FromSeconds(2.1).Ticks);
            run.Pool.Drain();
        });
        run.Run("reads", () =>
        {
            before = stage.Figures;
            hasRead = true;
            run.WaitUntil(() => run.HasEnded("driver"), "the driver");
            var after = stage.Figures;
            Require(
                after is { Fired: 2, Failed: 1, Late: 1 } && after.DriverWakeUps > before.DriverWakeUps,
                $"Of two callbacks one has waited for two seconds, and has failed: {after}.");
        });
    }
}


using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A thread reads a service's figures before and after all is late and a callback fails: the figures show it.
/// </summary>
internal sealed class FiguresReadAgain : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var before = new TimerServiceSnapshot();
        var hasRead = false;
        run.Run("driver", () =>
        {
            run.WaitUntil(() => hasRead, "the first figures");

            // The pool runs the driver, four ticks late.
            stage.Service.Schedule(static _ => { }, null, Stage.Ticks(1));
            stage.Clock.PassTo(Stage.Ticks(5).Ticks);
            run.Pool.Drain();

            // It runs the callback two seconds after the driver has queued it.
            stage.Service.Schedule(
                static _ => throw new InvalidOperationException("Thrown by the scenario."), null, Stage.Ticks(1));
            stage.Clock.Advance(Stage.Ticks(1));
            stage.Clock.PassTo(TimeSpan.FromSeconds(2.1).Ticks);
            run.Pool.Drain();
        });
        run.Run("reads", () =>
        {
            before = stage.Service.GetSnapshot();
            hasRead = true;
            run.WaitUntil(() => run.HasEnded("driver"), "the driver");
            var after = stage.Service.GetSnapshot();
            Interleaving.Require(
                after is { Fired: 2, Failed: 1, Late: 1 } && after.LongestPoolWait > TimeSpan.FromSeconds(1),
                $"Of two callbacks one has waited for two seconds, and has failed: {after}.");
            Interleaving.Require(
                after.DriverWakeUps > before.DriverWakeUps && after.LongestDriverLag > TimeSpan.Zero,
                $"The driver was late: {after}.");
        });
    }
}

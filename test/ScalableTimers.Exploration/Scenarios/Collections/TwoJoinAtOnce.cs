using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>Two threads use a service for the first time while the driver looks. No timer is lost.</summary>
internal sealed class TwoJoinAtOnce : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        for (var i = 0; i < 2; i++)
        {
            run.Run($"joins {i}", () => stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1)), kind: "joins");
        }

        run.Run(
            "counts",
            () =>
                Interleaving.Require(
                    stage.Service.GetSnapshot().Pending is 0 or 1 or 2, "The number of pending timers is wrong."));
        run.Check(() =>
        {
            Interleaving.Require(stage.Collections.Length == 2, $"There are {stage.Collections.Length} collections.");
            stage.RequireOver(ticks: 1);
            Interleaving.Require(fired == 2, $"Two callbacks have run {fired} times.");
        });
    }
}

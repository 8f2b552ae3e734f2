using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// A thread that is new to the service schedules while the driver looks at all collections and falls asleep. The driver
/// does not overlook the new collection.
/// </summary>
internal sealed class NewThreadBesideADriverFallingAsleep : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        run.Run(
            "driver",
            prepare: () => stage.Service.Schedule(static _ => { }, null, Stage.Ticks(1)),
            body: () => stage.Pass(1));
        run.Run("new", () => stage.Service.Schedule(_ => fired++, null, Stage.Ticks(2)));
        run.Check(() =>
        {
            stage.Pass(3);
            Interleaving.Require(fired == 1, $"A callback due after 2 ticks has run {fired} times after 3.");
            stage.RequireOver(ticks: 1);
        });
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>A callback is scheduled while the service stops, which ends delays alone: it fires on time.</summary>
internal sealed class ScheduleBesideStop : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        run.Run(
            "owner",
            prepare: () => stage.Service.Schedule(static _ => { }, null, Stage.Ticks(50)),
            body: () => stage.Service.Schedule(_ => fired++, null, Stage.Ticks(2)));
        run.Run("stops", () => stage.Service.StopAsync().GetAwaiter().GetResult());
        run.Check(() =>
        {
            stage.Pass(3);
            Interleaving.Require(fired == 1, $"A callback that is due has run {fired} times.");
            stage.RequireOver(ticks: 50);
        });
    }
}

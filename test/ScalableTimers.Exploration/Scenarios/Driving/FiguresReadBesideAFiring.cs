using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>A thread reads a service's figures while timers are scheduled and fire. The figures add up.</summary>
internal sealed class FiguresReadBesideAFiring : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        run.Run(
            "driver",
            prepare: () => stage.Service.Schedule(static _ => { }, null, Stage.Ticks(1)),
            body: () =>
            {
                stage.Pass(1);
                stage.Service.Schedule(static _ => { }, null, Stage.Ticks(1));
            });
        run.Run("reads", () =>
        {
            var seen = stage.Service.GetSnapshot();
            Interleaving.Require(
                seen.Scheduled == seen.Pending + seen.Firing + seen.Fired,
                $"The figures do not add up: {seen}, {seen.Firing} firing.");
        });
        run.Check(() => stage.RequireOver(ticks: 1));
    }
}

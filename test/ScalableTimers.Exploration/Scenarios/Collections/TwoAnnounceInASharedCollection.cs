using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>Where timers fire in order, two threads schedule the nearest deadline at once: the driver wakes for the nearer one.</summary>
internal sealed class TwoAnnounceInASharedCollection : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run, firesInOrder: true);
        int soon = 0, later = 0;
        run.Run(
            "a",
            prepare: () => stage.Service.Schedule(static _ => { }, null, Stage.Ticks(100)),
            body: () => stage.Service.Schedule(_ => later++, null, Stage.Ticks(2)));
        run.Run("b", () => stage.Service.Schedule(_ => soon++, null, Stage.Ticks(1)));
        run.Check(() =>
        {
            stage.Pass(1);
            Interleaving.Require(soon == 1 && later == 0, $"After 1 tick the callbacks due after 1 and 2 have run {soon} and {later} times.");
            stage.Pass(1);
            Interleaving.Require(soon == 1 && later == 1, $"After 2 ticks the callbacks due after 1 and 2 have run {soon} and {later} times.");
            stage.RequireOver(ticks: 100);
        });
    }
}

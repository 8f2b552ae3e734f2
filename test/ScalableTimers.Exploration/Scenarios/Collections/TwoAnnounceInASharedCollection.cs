using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Where timers fire in order, two threads schedule the nearest deadline at once while the driver falls asleep: it
/// wakes for the nearer one.
/// </summary>
internal sealed class TwoAnnounceInASharedCollection : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run, firesInOrder: true);
        int soon = 0, later = 0;
        run.Run(
            "driver",
            prepare: () =>
            {
                stage.Service.Schedule(static _ => { }, null, Stage.Ticks(100));
                stage.Service.Schedule(static _ => { }, null, Stage.Ticks(1));
            },
            body: () => stage.Clock.Advance(Stage.Ticks(1)));
        run.Run("a", () => stage.Service.Schedule(_ => later++, null, Stage.Ticks(4)));
        run.Run("b", () => stage.Service.Schedule(_ => soon++, null, Stage.Ticks(2)));
        run.Check(() =>
        {
            stage.Pass(2);
            Interleaving.Require(
                soon == 1 && later == 0,
                $"After 3 ticks the callbacks due after 2 and 4 have run {soon} and {later} times.");
            stage.Pass(2);
            Interleaving.Require(
                soon == 1 && later == 1,
                $"After 5 ticks the callbacks due after 2 and 4 have run {soon} and {later} times.");
            stage.RequireOver(ticks: 100);
        });
    }
}

using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// Two threads change a timer while it fires. No firing is early or lost, and at most one is linked.
/// </summary>
internal sealed class PeriodicTimerChanged : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        int firings = 0, early = 0;
        long dueAt = Stage.Ticks(1).Ticks;
        ITimer? timer = null;
        run.Run(
            "owner",
            prepare: () => timer = stage.Service.CreateTimer(
                _ =>
                {
                    firings++;
                    early += stage.Clock.Now < dueAt ? 1 : 0;
                },
                null,
                Stage.Ticks(1),
                Timeout.InfiniteTimeSpan),
            body: () => timer!.Change(Stage.Ticks(5), Timeout.InfiniteTimeSpan));
        run.Run("changes", () => timer!.Change(Stage.Ticks(70), Timeout.InfiniteTimeSpan));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            var before = firings;
            stage.RequireOver(ticks: 80);
            Interleaving.Require(early == 0, "A timer has fired early.");
            Interleaving.Require(
                before is 0 or 1 && firings == before + 1,
                $"A timer has fired {before} times before it was set for the last time, and {firings - before} times "
                + "after it.");
        });
    }
}

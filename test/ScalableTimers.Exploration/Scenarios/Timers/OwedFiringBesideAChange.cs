using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A postponed firing is due when its callback has returned, while another thread changes the timer. The timer is
/// linked once, and fires for its last change.
/// </summary>
internal sealed class OwedFiringBesideAChange : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var firings = 0;
        ITimer? timer = null;
        run.Run(
            "owner",
            prepare: () => timer = stage.Service.CreateTimer(
                _ =>
                {
                    if (++firings == 1)
                    {
                        // The timer expires while its callback runs.
                        timer!.Change(Stage.Ticks(1), Timeout.InfiniteTimeSpan);
                        stage.Clock.Advance(Stage.Ticks(1));
                    }
                },
                null,
                Stage.Ticks(1),
                Timeout.InfiniteTimeSpan),
            body: () => stage.Pass(1));
        run.Run("changes", () => timer!.Change(Stage.Ticks(5), Timeout.InfiniteTimeSpan));
        run.Check(() =>
        {
            // The callback may run here for the first time. Then the firing is postponed.
            stage.Pass(10);
            stage.RequireOver(ticks: 10);
            Interleaving.Require(firings is 2 or 3, $"A timer set three times has fired {firings} times.");
        });
    }
}

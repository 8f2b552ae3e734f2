using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A callback changes its own timer and continues to run while the timer expires. The firing is not skipped. It comes
/// when the callback has returned.
/// </summary>
internal sealed class LastFiringIsOwed : Scenario
{
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
                        timer!.Change(Stage.Ticks(1), Timeout.InfiniteTimeSpan);
                        Interleaving.Point("in the callback");
                    }
                },
                null,
                Stage.Ticks(1),
                Timeout.InfiniteTimeSpan),
            body: () => stage.Pass(1));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.RequireOver(ticks: 1);
            Interleaving.Require(firings == 2, $"A timer set twice has fired {firings} times.");
        });
    }
}

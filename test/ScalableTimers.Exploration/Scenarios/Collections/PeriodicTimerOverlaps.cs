using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>A timer whose callbacks may overlap: each period is a firing or counted as left out.</summary>
internal sealed class PeriodicTimerOverlaps : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var firings = 0;
        run.Run(
            "owner",
            prepare: () => stage.Service.CreateTimer(
                _ =>
                {
                    Interleaving.Point("in the callback");
                    firings++;
                },
                null,
                Stage.Ticks(1),
                Stage.Ticks(1),
                new PeriodicTimerOptions { Overlap = TimerOverlap.Allow }),
            body: () => stage.Pass(1));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            // An alarm that was being set while the clock went on is late. Once it has rung and been set undisturbed all is on time.
            for (var i = 0; i < 3; i++)
            {
                stage.Pass(1);
            }

            var periods = stage.Clock.Now / Stage.Ticks(1).Ticks;
            var seen = stage.RequireInOrder();
            Interleaving.Require(firings + seen.Skipped == periods && seen.Pending == 1, $"Of {periods} periods {firings} have fired and {seen.Skipped} were left out.");
            stage.RequireDisposed();
        });
    }
}

using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A period passes while the callback runs on another thread. Its firing is skipped and counted, and two callbacks
/// never run at once.
/// </summary>
internal class PeriodicTimerSkips : Scenario
{
    protected virtual TimerOverlap Overlap => TimerOverlap.Skip;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        int firings = 0, running = 0;
        run.Run(
            "owner",
            prepare: () => stage.Service.CreateTimer(
                _ =>
                {
                    Interleaving.Require(
                        ++running == 1 || Overlap == TimerOverlap.Allow, "Two callbacks of a timer run at once.");
                    firings++;
                    Interleaving.Point("in the callback");
                    running--;
                },
                null,
                Stage.Ticks(1),
                Stage.Ticks(1),
                new PeriodicTimerOptions { Overlap = Overlap }),
            body: () => stage.Pass(1));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            // An alarm that was being set while the clock advanced is late. Once it has rung and has been set
            // undisturbed, everything is on time.
            for (var i = 0; i < 3; i++)
            {
                stage.Pass(1);
            }

            var periods = stage.Clock.Now / Stage.Ticks(1).Ticks;
            var seen = stage.RequireInOrder();
            Interleaving.Require(
                firings + seen.Skipped == periods && seen.Pending == 1,
                $"Of {periods} periods {firings} have fired and {seen.Skipped} were left out.");
            stage.RequireDisposed();
        });
    }
}

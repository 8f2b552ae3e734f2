using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A timer fires, is changed and is disposed asynchronously while its service is disposed. No callback runs afterwards,
/// and the wait ends.
/// </summary>
internal sealed class PeriodicTimerBesideDispose : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        int firings = 0, running = 0;
        ITimer? timer = null;
        var isChanged = false;
        run.Run(
            "owner",
            prepare: () => timer = stage.Service.CreateTimer(
                _ =>
                {
                    running++;
                    Interleaving.Point("in the callback");
                    firings++;
                    running--;
                },
                null,
                Stage.Ticks(1),
                Stage.Ticks(1)),
            body: () =>
            {
                isChanged = timer!.Change(Stage.Ticks(2), Stage.Ticks(1));
                var ended = timer.DisposeAsync();
                run.WaitUntil(() => ended.IsCompleted, "end of the callbacks");
                Interleaving.Require(running == 0, "A callback runs after the timer was disposed and waited for.");
            });
        run.Run("disposes", stage.Service.Dispose);
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            var before = firings;
            stage.RequireDisposed();
            stage.Pass(5);
            Interleaving.Require(
                firings == before && before <= 1,
                $"A timer has fired {before} times until its service was disposed and {firings - before} times after "
                + "it.");
            Interleaving.Require(
                !timer!.Change(Stage.Ticks(1), Stage.Ticks(1)), "A timer was changed after it was disposed.");
        });
    }
}

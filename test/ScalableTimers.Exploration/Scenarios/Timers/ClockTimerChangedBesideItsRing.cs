using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A timer that its service's clock drives since the service has ended is changed while it is due: it fires at the new
/// time too.
/// </summary>
internal sealed class ClockTimerChangedBesideItsRing : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var firedAt = new List<TimeSpan>();
        ITimer? timer = null;
        run.Run(
            "changes",
            prepare: () =>
            {
                timer = stage.Service.TimeProvider.CreateTimer(
                    _ => firedAt.Add(stage.Clock.Elapsed), null, Stage.Ticks(1), Timeout.InfiniteTimeSpan);
                stage.Service.Dispose();
            },
            body: () => Interleaving.Require(
                timer!.Change(Stage.Ticks(2), Timeout.InfiniteTimeSpan), "A timer cannot be changed."));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.Pass(3);
            Interleaving.Require(
                firedAt.Count is 1 or 2 && firedAt[^1] >= Stage.Ticks(2),
                $"A timer due after 10 ms, changed to 20 ms more, has fired at {string.Join(", ", firedAt)}.");
            timer!.Dispose();
            Interleaving.Require(stage.Clock.ArmedTimers == 0, "The clock is set for a timer that has been disposed.");
        });
    }
}

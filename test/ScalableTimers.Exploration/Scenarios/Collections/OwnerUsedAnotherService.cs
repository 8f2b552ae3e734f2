using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// A thread cancels its callback after it has used another service, so it cancels as other threads do. It schedules
/// again while the callback expires.
/// </summary>
internal sealed class OwnerUsedAnotherService : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var other = new Stage(run);
        int fired = 0, next = 0;
        var isCancelled = false;
        ScheduledTimer timer = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                timer = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1));
                other.Service.Schedule(static _ => { }, null, Stage.Ticks(1));
            },
            body: () =>
            {
                isCancelled = timer.Cancel();
                stage.Service.Schedule(_ => next++, null, Stage.Ticks(2));
                stage.Service.Schedule(_ => next++, null, Stage.Ticks(3));
            });
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.RequireOver(ticks: 4);
            other.RequireOver(ticks: 1);
            Interleaving.Require(
                fired == (isCancelled ? 0 : 1),
                $"A callback has fired {fired} times, and was cancelled: {isCancelled}.");
            Interleaving.Require(next == 2, $"The next two callbacks have run {next} times.");
        });
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// A timer is disposed while its callback runs and its thread schedules a nearer timer. Disposing waits for the
/// callback's end, and the other callback fires.
/// </summary>
internal sealed class DisposeAsyncBesideASchedule : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        int begun = 0, ended = 0, fired = 0;
        ITimer? timer = null;
        run.Run(
            "owner",
            prepare: () => timer = stage.Service.CreateTimer(
                _ =>
                {
                    begun++;
                    Interleaving.Point("in the callback");
                    ended++;
                },
                null,
                Stage.Ticks(2),
                Timeout.InfiniteTimeSpan),
            body: () => stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1)));
        run.Run("disposes", () =>
        {
            var end = timer!.DisposeAsync().AsTask();
            run.WaitUntil(() => end.IsCompleted, "end of the timer");
            Interleaving.Require(begun == ended, "The callback runs after its timer's end was waited for.");
        });
        run.Run("driver", () => stage.Pass(2));
        run.Check(() =>
        {
            stage.Pass(1);
            Interleaving.Require(
                fired == 1 && begun <= 1, $"The callback has run {fired} times, the timer's {begun} times.");
            stage.RequireOver(ticks: 1);
        });
    }
}

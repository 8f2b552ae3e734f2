using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// The owner and another thread cancel a callback that expires. Exactly one of the three ends it. The owner schedules
/// the next one.
/// </summary>
internal sealed class CallbackCancelledByBoth : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        int fired = 0, next = 0;
        bool byOwner = false, byOther = false;
        ScheduledTimer timer = default;
        run.Run(
            "owner",
            prepare: () => timer = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1)),
            body: () =>
            {
                byOwner = timer.Cancel();
                stage.Service.Schedule(_ => next++, null, Stage.Ticks(2));
            });
        run.Run("cancels", () => byOther = timer.Cancel());
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.RequireOver(ticks: 3);
            var ends = fired + (byOwner ? 1 : 0) + (byOther ? 1 : 0);
            Interleaving.Require(
                ends == 1,
                $"A callback has fired {fired} times, and was cancelled by its owner: {byOwner}, by another thread: "
                + $"{byOther}.");
            Interleaving.Require(next == 1, $"The next callback has run {next} times.");
        });
    }
}

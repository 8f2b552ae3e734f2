using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// A callback is rescheduled to a later time while another thread cancels it and it expires. It runs once, at one of
/// the two times, or never.
/// </summary>
internal sealed class RescheduleBesideCancelAndExpiry : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        long firedAt = 0;
        bool isCancelled = false, isRescheduled = false;
        ScheduledTimer timer = default;
        run.Run(
            "owner",
            prepare: () => timer = stage.Service.Schedule(
                _ =>
                {
                    fired++;
                    firedAt = stage.Clock.Now;
                },
                null,
                Stage.Ticks(1)),
            body: () => isRescheduled = timer.Reschedule(Stage.Ticks(70)));
        run.Run("cancels", () => isCancelled = timer.Cancel());
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.Pass(ticks: 64);
            stage.RequireOver(ticks: 10);
            Interleaving.Require(
                fired == (isCancelled ? 0 : 1),
                $"A callback has fired {fired} times, and was cancelled: {isCancelled}.");
            Interleaving.Require(
                !isRescheduled || fired == 0 || firedAt >= Stage.Ticks(70).Ticks,
                "A callback has fired before the time that it was rescheduled to.");
        });
    }
}

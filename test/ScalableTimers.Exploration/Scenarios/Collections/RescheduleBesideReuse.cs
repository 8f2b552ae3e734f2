using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// An old handle reschedules while its entry is cancelled and used again: the new callback keeps its time.
/// </summary>
internal sealed class RescheduleBesideReuse : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        int old = 0, next = 0;
        bool isRescheduled = false;
        ScheduledTimer timer = default;
        run.Run(
            "owner",
            prepare: () => timer = stage.Service.Schedule(_ => old++, null, Stage.Ticks(5)),
            body: () =>
            {
                Interleaving.Require(timer.Cancel(), "A pending timer was not cancelled.");
                stage.Service.Schedule(_ => next++, null, Stage.Ticks(2));
            });
        run.Run("reschedules", () => isRescheduled = timer.Reschedule(Stage.Ticks(70)));
        run.Check(() =>
        {
            stage.RequireOver(ticks: 2);
            Interleaving.Require(
                old == 0 && next == 1,
                $"The cancelled callback has run {old} times, the next one {next} times; rescheduled: "
                + $"{isRescheduled}.");
        });
    }
}

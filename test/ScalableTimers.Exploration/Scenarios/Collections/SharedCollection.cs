using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Where timers fire in order, two threads schedule, cancel and reschedule while the clock is advanced: each fires once
/// or not at all, none early.
/// </summary>
internal sealed class SharedCollection : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run, firesInOrder: true);
        var fired = 0;
        var isCancelled = false;
        ScheduledTimer timer = default;
        run.Run(
            "a",
            prepare: () => timer = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1)),
            body: () =>
            {
                isCancelled = timer.Cancel();
                stage.Service.Schedule(_ => fired += 10, null, Stage.Ticks(1));
            });
        run.Run("b", () => timer.Reschedule(Stage.Ticks(2)));
        run.Run("driver", () => stage.Clock.Advance(Stage.Ticks(1)));
        run.Check(() =>
        {
            Interleaving.Require(
                stage.Linked == stage.RequireInOrder().Pending,
                "Where timers fire in order an entry is linked in vain.");
            stage.RequireOver(ticks: 3);
            Interleaving.Require(
                fired == (isCancelled ? 10 : 11),
                $"The callbacks have run {fired % 10} and {fired / 10} times, the first was cancelled: {isCancelled}.");
        });
    }
}

using ScalableTimers.Collections;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// The owner cancels one callback more than it can keep, while another thread cancels one too and the driver expires
/// the empty entries.
/// </summary>
internal sealed class CancelWithAFullStack : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        ScheduledTimer here = default, elsewhere = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                here = stage.Service.Schedule(_ => fired += 10, null, Stage.Ticks(2));
                elsewhere = stage.Service.Schedule(_ => fired += 10, null, Stage.Ticks(2));
                var timers = new ScheduledTimer[EntryStore.OwnCapacity];
                for (var i = 0; i < timers.Length; i++)
                {
                    timers[i] = stage.Service.Schedule(_ => fired += 10, null, Stage.Ticks(1));
                }

                foreach (var timer in timers)
                {
                    timer.Cancel();
                }
            },
            body: () =>
            {
                Interleaving.Require(here.Cancel(), "A pending timer was not cancelled.");
                stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1));
            });
        run.Run("cancels", () => Interleaving.Require(elsewhere.Cancel(), "A pending timer was not cancelled."));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.RequireOver(ticks: 1);
            Interleaving.Require(
                fired == 1, $"Cancelled callbacks have run {fired / 10} times, the other one {fired % 10} times.");
        });
    }
}

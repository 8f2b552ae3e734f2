using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// The owner cancels a delay that another thread reads and returns meanwhile. The owner begins the next, shorter one.
/// No empty entry stays linked.
/// </summary>
internal class DelayCancelledHereAndReadElsewhere : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        ValueTask<bool> delay = default, next = default;
        run.Run(
            "owner",
            prepare: () => delay = stage.Service.TryDelay(Stage.Ticks(20), source.Token),
            body: () =>
            {
                Interleaving.Cancel(source);
                next = stage.Service.TryDelay(Stage.Ticks(2));
            });
        run.Run("reads", () =>
        {
            run.WaitUntil(() => delay.IsCompleted, "end of the delay");
            Interleaving.Require(Outcome.Of(delay) == false, "A cancelled delay has elapsed.");
        });
        AddThreads(run, stage);
        run.Check(() =>
        {
            stage.RequireOver(ticks: 4);
            Interleaving.Require(Outcome.Of(next) == true, "A delay of 2 ticks has not ended after 4.");
        });
    }

    protected virtual void AddThreads(Interleaving run, Stage stage)
    {
    }
}

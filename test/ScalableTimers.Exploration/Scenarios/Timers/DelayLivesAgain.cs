using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A delay is cancelled by its owner, read, and begun again, shorter and then longer, while the driver looks and
/// another thread cancels the old token again.
/// </summary>
internal sealed class DelayLivesAgain : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var (first, second) = (new CancellationTokenSource(), new CancellationTokenSource());
        ValueTask<bool> delay = default;
        long begunAt = 0;
        run.Run(
            "owner",
            prepare: () =>
            {
                delay = stage.Service.TryDelay(Stage.Ticks(5), first.Token);
                first.Cancel();
                _ = Outcome.Of(delay);
            },
            body: () =>
            {
                delay = stage.Service.TryDelay(Stage.Ticks(2), second.Token);
                run.WaitUntil(() => delay.IsCompleted, "end of the delay");
                _ = Outcome.Of(delay);
                begunAt = stage.Clock.Now;
                delay = stage.Service.TryDelay(Stage.Ticks(70));
            });
        run.Run("cancels", () => Interleaving.Cancel(second));
        run.Run("driver", () => stage.Pass(5));
        run.Check(() =>
        {
            Interleaving.Require(!delay.IsCompleted, "A delay of 70 ticks has ended after 5.");
            stage.Pass(ticks: 64);
            Interleaving.Require(
                !delay.IsCompleted || stage.Clock.Now >= begunAt + Stage.Ticks(70).Ticks, "A delay has ended early.");
            stage.RequireOver(ticks: 10);
            Interleaving.Require(Outcome.Of(delay) == true, "A delay of 70 ticks has not ended after 74.");
        });
    }
}

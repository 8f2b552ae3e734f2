using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// Where timers fire in order, a thread and another one cancel the first one's delay while the clock advances. The next
/// delay uses its entry.
/// </summary>
internal sealed class SharedDelays : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run, firesInOrder: true);
        var source = new CancellationTokenSource();
        ValueTask<bool> delay = default, other = default;
        run.Run(
            "a",
            prepare: () => delay = stage.Service.TryDelay(Stage.Ticks(1), source.Token),
            body: () =>
            {
                run.WaitUntil(() => delay.IsCompleted, "end of the delay");
                _ = Outcome.Of(delay);
                delay = stage.Service.TryDelay(Stage.Ticks(20));
            });
        run.Run("b", () =>
        {
            Interleaving.Cancel(source);
            other = stage.Service.TryDelay(Stage.Ticks(20));
        });
        run.Run("driver", () => stage.Clock.Advance(Stage.Ticks(1)));
        run.Check(() =>
        {
            Interleaving.Require(!delay.IsCompleted && !other.IsCompleted, "A delay of 20 ticks has ended after 1.");
            stage.RequireOver(ticks: 21);
            Interleaving.Require(
                Outcome.Of(delay) == true && Outcome.Of(other) == true, "A delay of 20 ticks has not ended after 22.");
        });
    }
}

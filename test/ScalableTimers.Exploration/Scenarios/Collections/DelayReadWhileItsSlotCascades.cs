using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>The owner cancels a delay that another thread reads, while the driver takes its slot apart; afterwards nothing is linked in vain.</summary>
internal sealed class DelayReadWhileItsSlotCascades : Scenario
{
    // Its threads share much: two preemptions take tens of thousands of interleavings. Full length has them.
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        ValueTask<bool> delay = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                delay = stage.Service.TryDelay(Stage.Ticks(70), source.Token);
                stage.PassFirstTick();
                stage.FillDelays();
            },
            body: () => Interleaving.Cancel(source));
        run.Run("reads", () =>
        {
            run.WaitUntil(() => delay.IsCompleted, "end of the delay");
            Interleaving.Require(Outcome.Of(delay) == false, "A cancelled delay has elapsed.");
        });
        run.Run("driver", () => stage.Pass(63));
        run.Check(() => stage.RequireOver(ticks: 20));
    }
}

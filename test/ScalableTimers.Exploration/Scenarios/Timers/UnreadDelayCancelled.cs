using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;
using ScalableTimers.Timers;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A delay that nobody reads is cancelled, by its owner or another thread, while the driver moves it down. It does not
/// stay linked.
/// </summary>
internal sealed class UnreadDelayCancelled : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var (token, scope) = (new CancellationTokenSource(), new CancellationTokenSource());
        ValueTask<bool> delay = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                delay = stage.Service.StartDelay(
                    Stage.Ticks(70), DelayOptions.ReportCancellation, token.Token, scope.Token)
                    .AsValueTaskOfBool();
                stage.PassFirstTick();
            },
            body: () => Interleaving.Cancel(token));
        run.Run("cancels the scope", () => Interleaving.Cancel(scope));
        run.Run("driver", () => stage.Pass(63));
        run.Check(() =>
        {
            Interleaving.Require(delay.IsCompleted, "A delay that was cancelled is pending.");
            Interleaving.Require(stage.Linked == 0, "A delay that nobody reads is linked after its end.");
            stage.RequireOver(ticks: 10);
        });
    }
}

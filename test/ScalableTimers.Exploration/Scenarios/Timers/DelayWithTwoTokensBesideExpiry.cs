using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;
using ScalableTimers.Timers;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A delay expires while one token is cancelled by its owner and the other one elsewhere: it ends once, and the next
/// life of its entry is not touched.
/// </summary>
internal sealed class DelayWithTwoTokensBesideExpiry : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var (token, scope) = (new CancellationTokenSource(), new CancellationTokenSource());
        var observer = new CountingObserver();
        ValueTask<bool> delay = default;
        run.Run(
            "owner",
            prepare: () =>
                delay = stage.Service.StartDelay(
                    Stage.Ticks(1), DelayOptions.ReportCancellation, token.Token, scope.Token, observer)
                    .AsValueTaskOfBool(),
            body: () =>
            {
                Interleaving.Cancel(token);
                run.WaitUntil(() => delay.IsCompleted, "end of the delay");
                _ = Outcome.Of(delay);
                Interleaving.Require(observer.Ended == 1, $"The observer has heard of {observer.Ended} ends.");
                delay = stage.Service.TryDelay(Stage.Ticks(20));
            });
        run.Run("cancels the scope", () => Interleaving.Cancel(scope));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            Interleaving.Require(observer.Ended == 1, $"The observer has heard of {observer.Ended} ends.");
            Interleaving.Require(!delay.IsCompleted, "A delay without a token has ended at once.");
            stage.RequireOver(ticks: 30);
            Interleaving.Require(Outcome.Of(delay) == true, "A delay of 20 ticks has not ended after 30.");
        });
    }
}

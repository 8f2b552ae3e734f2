using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;
using ScalableTimers.Timers;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// Both tokens of a delay are cancelled while it starts: it ends once, its observer is told of one end, and both
/// registrations are removed.
/// </summary>
internal sealed class DelayWithTwoTokensStarts : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var (token, scope) = (new CancellationTokenSource(), new CancellationTokenSource());
        var observer = new CountingObserver();
        ValueTask<bool> delay = default;
        run.Run("owner", () =>
        {
            delay = stage.Service.StartDelay(
                Stage.Ticks(10), DelayOptions.ReportCancellation, token.Token, scope.Token, observer)
                .AsValueTaskOfBool();
            run.WaitUntil(() => delay.IsCompleted, "end of the delay");
            Interleaving.Require(Outcome.Of(delay) == false, "A delay whose tokens were cancelled has elapsed.");
            delay = stage.Service.TryDelay(Stage.Ticks(20));
        });
        run.Run("cancels the token", () => Interleaving.Cancel(token));
        run.Run("cancels the scope", () => Interleaving.Cancel(scope));
        run.Check(() =>
        {
            Interleaving.Require(
                observer is { Begun: 1, Ended: 1 },
                $"The observer has heard of {observer.Begun} beginnings and {observer.Ended} ends.");
            Interleaving.Require(!delay.IsCompleted, "A delay without a token has ended at once.");
            stage.RequireOver(ticks: 30);
            Interleaving.Require(Outcome.Of(delay) == true, "A delay of 20 ticks has not ended after 30.");
        });
    }
}

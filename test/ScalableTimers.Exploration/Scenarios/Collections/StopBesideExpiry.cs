using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Stopping walks past many timers while the driver expires some delays and a token cancels one: each ends once.
/// </summary>
internal sealed class StopBesideExpiry : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        ValueTask<bool> soon = default, later = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                stage.AddBallast();
                soon = stage.Service.TryDelay(Stage.Ticks(1));
                later = stage.Service.TryDelay(Stage.Ticks(5), source.Token);
            },
            body: () => Interleaving.Cancel(source));
        run.Run("stops", () => stage.Service.StopAsync().GetAwaiter().GetResult());
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            Interleaving.Require(soon.IsCompleted, "A delay is pending after the service was stopped.");
            _ = Outcome.Of(soon);
            Interleaving.Require(
                Outcome.Of(later) == false, "A delay is pending after the service was stopped and it was cancelled.");
            Interleaving.Require(
                stage.RequireInOrder().Pending == Stage.MoreThanAStep,
                "Timers have ended that do not end with stopping.");
            Interleaving.Require(stage.Linked <= Stage.MoreThanAStep + 1, $"{stage.Linked} entries are linked.");
            stage.RequireDisposed();
        });
    }
}

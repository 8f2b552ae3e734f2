using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A timer of the provider is changed while its service is disposed and the clock advances. It fires once and on time,
/// driven by the service or the clock.
/// </summary>
internal sealed class ProviderTimerHandedOver : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var firedAt = new List<long>();
        ITimer? timer = null;
        long changedAt = 0;
        run.Run(
            "owner",
            prepare: () =>
                timer = stage.Service.TimeProvider.CreateTimer(
                    _ => firedAt.Add(stage.Clock.Now), null, Stage.Ticks(2), Timeout.InfiniteTimeSpan),
            body: () =>
            {
                changedAt = stage.Clock.Now;
                Interleaving.Require(
                    timer!.Change(Stage.Ticks(3), Timeout.InfiniteTimeSpan), "A timer was not changed.");
            });
        run.Run("disposes", stage.Service.Dispose);
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            Interleaving.Require(firedAt.Count == 0, "A timer has fired early.");
            stage.RequireDisposed();
            stage.Pass(1);
            stage.Pass(1);
            Interleaving.Require(
                firedAt.Count == 0 || firedAt[0] >= changedAt + Stage.Ticks(3).Ticks, "A timer has fired early.");
            stage.Pass(2);
            Interleaving.Require(firedAt.Count == 1, $"A timer has fired {firedAt.Count} times.");
        });
    }
}

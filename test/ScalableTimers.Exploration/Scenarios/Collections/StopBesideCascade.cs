using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Stopping releases the lock in the middle of a slot, and the driver moves the slot's entries down. The walk still
/// finds the delays in it.
/// </summary>
internal sealed class StopBesideCascade : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        ValueTask<bool> oldest = default, newest = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                oldest = stage.Service.TryDelay(Stage.Ticks(70));
                stage.AddBallast(ticks: 71);
                newest = stage.Service.TryDelay(Stage.Ticks(72));
                stage.PassFirstTick();
            },
            body: () => stage.Service.StopAsync().GetAwaiter().GetResult());
        run.Run("driver", () => stage.Clock.Advance(Stage.Ticks(63)));
        run.Check(() =>
        {
            Interleaving.Require(
                Outcome.Of(oldest) == false, "The oldest delay of the slot is pending after the service was stopped.");
            Interleaving.Require(
                Outcome.Of(newest) == false, "The newest delay of the slot is pending after the service was stopped.");
            stage.RequireInOrder();
            stage.Service.Dispose();
            stage.RequireDisposed();
        });
    }
}

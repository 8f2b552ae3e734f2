using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A timer of the provider is disposed while its service is disposed. Neither the service nor the clock fires it any
/// more.
/// </summary>
internal sealed class ProviderTimerDisposedBesideHandOver : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        ITimer? timer = null;
        run.Run(
            "owner",
            prepare: () =>
                timer = stage.Service.TimeProvider.CreateTimer(_ => fired++, null, Stage.Ticks(2), Stage.Ticks(1)),
            body: () => timer!.Dispose());
        run.Run("changes", () => timer!.Change(Stage.Ticks(3), Stage.Ticks(1)));
        run.Run("disposes", stage.Service.Dispose);
        run.Check(() =>
        {
            stage.RequireDisposed();
            Interleaving.Require(
                stage.Clock.NextDueAt == long.MaxValue, "A timer of the clock is set for a timer that was disposed.");
            stage.Pass(5);
            Interleaving.Require(fired == 0, $"A timer that was disposed has fired {fired} times.");
        });
    }
}

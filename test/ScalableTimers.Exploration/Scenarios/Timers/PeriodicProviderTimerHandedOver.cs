using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A periodic timer of the provider fires while its service is disposed. It continues, and no moment fires twice.
/// </summary>
internal sealed class PeriodicProviderTimerHandedOver : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        run.Run(
            "owner",
            prepare: () => stage.Service.TimeProvider.CreateTimer(_ => fired++, null, Stage.Ticks(1), Stage.Ticks(1)),
            body: stage.Service.Dispose);
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            // An alarm that was being set while the clock advanced is late by that much. Once it has rung, everything
            // is on time.
            stage.RequireDisposed();
            stage.Pass(2);
            Interleaving.Require(fired is >= 1 and <= 3, $"A timer has fired {fired} times in three periods.");
            for (var i = 0; i < 2; i++)
            {
                var before = fired;
                stage.Pass(1);
                Interleaving.Require(fired == before + 1, $"A timer has fired {fired - before} times in one period.");
            }
        });
    }
}

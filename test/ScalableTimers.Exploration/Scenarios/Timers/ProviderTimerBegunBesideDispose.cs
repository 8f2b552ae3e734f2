using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>A timer of the provider is created while its service is disposed: it fires once, on time.</summary>
internal sealed class ProviderTimerBegunBesideDispose : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        run.Run(
            "owner",
            prepare: () => stage.Service.Schedule(static _ => { }, null, Stage.Ticks(1_000)),
            body: () =>
                stage.Service.TimeProvider.CreateTimer(_ => fired++, null, Stage.Ticks(2), Timeout.InfiniteTimeSpan));
        run.Run("disposes", stage.Service.Dispose);
        run.Check(() =>
        {
            stage.RequireDisposed();
            stage.Pass(1);
            Interleaving.Require(fired == 0, "A timer has fired early.");
            stage.Pass(2);
            Interleaving.Require(fired == 1, $"A timer has fired {fired} times.");
        });
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>Two threads, one of them new to the service, begin delays while it stops: all end.</summary>
internal sealed class TwoBeginWhileTheServiceStops : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var delays = new ValueTask<bool>[3];
        run.Run(
            "a",
            prepare: () => delays[0] = stage.Service.TryDelay(Stage.Ticks(1_000)),
            body: () => delays[1] = stage.Service.TryDelay(Stage.Ticks(5)));
        run.Run("b", () => delays[2] = stage.Service.TryDelay(Stage.Ticks(5)));
        run.Run("stops", () => stage.Service.StopAsync().GetAwaiter().GetResult());
        run.Check(() =>
        {
            Interleaving.Require(
                delays.All(static delay => Outcome.Of(delay) == false),
                "A delay is pending after the service was stopped.");
            stage.RequireOver(ticks: 1);
        });
    }
}

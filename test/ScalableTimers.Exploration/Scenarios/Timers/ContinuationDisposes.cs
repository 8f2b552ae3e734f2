using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;
using ScalableTimers.Timers;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// Where timers fire in order, the continuation of a stopped delay runs inside the stop, and disposes the service. The
/// other delays end all the same, once.
/// </summary>
internal sealed class ContinuationDisposes : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run, firesInOrder: true);
        var observer = new CountingObserver();
        ValueTask<bool> first = default, second = default, third = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                stage.AddBallast();
                first = stage.Service.StartDelay(
                    Stage.Ticks(5), DelayOptions.ReportCancellation, default, default, observer)
                    .AsValueTaskOfBool();
                second = stage.Service.StartDelay(
                    Stage.Ticks(5), DelayOptions.ReportCancellation, default, default, observer)
                    .AsValueTaskOfBool();
                third = stage.Service.StartDelay(
                    Stage.Ticks(1),
                    DelayOptions.ReportCancellation | DelayOptions.SurvivesStop,
                    default,
                    default,
                    observer)
                    .AsValueTaskOfBool();
                second.GetAwaiter().UnsafeOnCompleted(stage.Service.Dispose);
            },
            body: () => stage.Service.StopAsync().GetAwaiter().GetResult());
        run.Run("driver", () => stage.Clock.Advance(Stage.Ticks(1)));
        run.Check(() =>
        {
            Interleaving.Require(
                Outcome.Of(first) == false, "The first delay is pending after its service was disposed.");
            Interleaving.Require(
                Outcome.Of(second) == false, "The second delay is pending after its service was disposed.");
            Interleaving.Require(third.IsCompleted, "The third delay is pending after its service was disposed.");
            Interleaving.Require(
                observer is { Begun: 3, Ended: 3 },
                $"The observer has heard of {observer.Begun} beginnings and {observer.Ended} ends.");
            stage.RequireDisposed();
        });
    }
}

using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Timers;
using ScalableTimers.Timers;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// One thread stops the service, another disposes it, and a third begins a delay that outlives stopping. All delays end
/// once.
/// </summary>
internal sealed class StopAndDisposeAtOnce : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var observer = new CountingObserver();
        ValueTask<bool> delay = default, lasting = default, late = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                stage.AddBallast();
                delay = stage.Service.StartDelay(
                    Stage.Ticks(5), DelayOptions.ReportCancellation, default, default, observer)
                    .AsValueTaskOfBool();
                lasting = stage.Service.StartDelay(
                    Stage.Ticks(5),
                    DelayOptions.ReportCancellation | DelayOptions.SurvivesStop,
                    default,
                    default,
                    observer)
                    .AsValueTaskOfBool();
            },
            body: () =>
            {
                try
                {
                    late = stage.Service.StartDelay(
                        Stage.Ticks(5),
                        DelayOptions.ReportCancellation | DelayOptions.SurvivesStop,
                        default,
                        default,
                        observer)
                        .AsValueTaskOfBool();
                }
                catch (ObjectDisposedException)
                {
                }
            });
        run.Run("stops", () => stage.Service.StopAsync().GetAwaiter().GetResult());
        run.Run("disposes", stage.Service.Dispose);
        run.Check(() =>
        {
            foreach (var begun in (ValueTask<bool>[])[delay, lasting, late])
            {
                Interleaving.Require(begun.IsCompleted, "A delay is pending after its service was disposed.");
            }

            Interleaving.Require(
                observer.Begun is 2 or 3 && observer.Ended == observer.Begun,
                $"The observer has heard of {observer.Begun} beginnings and {observer.Ended} ends.");
            Interleaving.Require(stage.Linked == 0, $"{stage.Linked} entries are linked.");
            stage.RequireDisposed();
        });
    }
}

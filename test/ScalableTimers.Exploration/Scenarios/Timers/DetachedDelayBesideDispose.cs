using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A delay that outlives its service is begun and expires while the service is disposed: it ends once, and true means
/// that its time has passed.
/// </summary>
internal class DetachedDelayBesideDispose : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run, firesInOrder: true);
        var source = new CancellationTokenSource();
        Task<bool>? first = null, second = null;
        run.Run(
            "owner",
            prepare: () => first = stage.Service.BeginDetachedDelay(Stage.Ticks(1), source.Token),
            body: () => second = stage.Service.BeginDetachedDelay(Stage.Ticks(2), source.Token));
        run.Run("disposes", () => End(stage, source));
        run.Run("driver", () => stage.Clock.Advance(Stage.Ticks(1)));
        run.Check(() =>
        {
            Interleaving.Require(!second!.IsCompleted || !second.Result, "A delay of 2 ticks has elapsed after 1.");
            stage.Pass(0);
            Interleaving.Require(first!.IsCompleted, "A delay of 1 tick is pending after it.");
            stage.Pass(2);
            Interleaving.Require(second.IsCompleted, "A delay of 2 ticks is pending after 3.");
            Interleaving.Require(
                source.IsCancellationRequested || (first.Result && second.Result), "A delay was cancelled by nobody.");
            stage.RequireDisposed();
        });
    }

    protected virtual void End(Stage stage, CancellationTokenSource source) => stage.Service.Dispose();
}

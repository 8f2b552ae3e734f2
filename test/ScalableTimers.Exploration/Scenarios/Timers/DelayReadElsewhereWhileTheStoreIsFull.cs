using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// The owner cancels a delay that another thread reads, and there is no room for its entry. The entry does not stay
/// linked.
/// </summary>
internal class DelayReadElsewhereWhileTheStoreIsFull : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        ValueTask<bool> delay = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                delay = Begin(stage, source.Token);
                stage.FillDelays();
            },
            body: () => Interleaving.Cancel(source));
        run.Run("reads", () =>
        {
            run.WaitUntil(() => delay.IsCompleted, "end of the delay");
            Interleaving.Require(Outcome.Of(delay) == false, "A cancelled delay has elapsed.");
        });
        AddThreads(run, stage);
        run.Check(() =>
        {
            RequireUnlinked(stage);
            stage.RequireOver(ticks: 20);
        });
    }

    protected virtual ValueTask<bool> Begin(Stage stage, CancellationToken token) =>
        stage.Service.TryDelay(Stage.Ticks(20), token);

    protected virtual void AddThreads(Interleaving run, Stage stage)
    {
    }

    protected virtual void RequireUnlinked(Stage stage) =>
        Interleaving.Require(stage.Linked == 0, "A delay that has been cancelled and read is linked.");
}

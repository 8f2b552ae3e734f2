using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// A thread takes a snapshot while a second cancels its callback and a third cancels its delay. A snapshot afterwards
/// contains both cancellations.
/// </summary>
internal sealed class CountsAfterOwnCancels : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        ScheduledTimer timer = default;
        run.Run(
            "owner of the callback",
            prepare: () => timer = stage.Service.Schedule(static _ => { }, null, Stage.Ticks(1)),
            body: () => timer.Cancel());
        run.Run(
            "owner of the delay",
            prepare: () => stage.Service.TryDelay(Stage.Ticks(1), source.Token),
            body: () => source.Cancel());
        run.Run("counts", () =>
        {
            var before = stage.Service.GetSnapshot();
            Interleaving.Require(before is { Pending: >= 0 and <= 2, Scheduled: 2 }, $"The figures are {before}.");
            run.WaitUntil(
                () => run.HasEnded("owner of the callback") && run.HasEnded("owner of the delay"), "end of the owners");
            var after = stage.Service.GetSnapshot();
            Interleaving.Require(after is { Pending: 0, Cancelled: 2 }, $"The figures are {after}.");
        });
        run.Check(() => stage.RequireOver(ticks: 1));
    }
}

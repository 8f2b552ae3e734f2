using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// A snapshot is taken while the owner and other threads begin and cancel timers. The number of pending timers is never
/// negative.
/// </summary>
internal sealed class CountsBesideAll : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        ScheduledTimer first = default, second = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                first = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1));
                second = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1));
            },
            body: () =>
            {
                first.Cancel();
                stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1)).Cancel();
            });
        run.Run("cancels", () => second.Cancel());
        run.Run("counts", () =>
        {
            var seen = stage.Service.GetSnapshot();
            Interleaving.Require(seen.Pending is >= 0 and <= 3, $"{seen.Pending} timers are pending.");
            var again = stage.Service.GetSnapshot();
            Interleaving.Require(
                again.Cancelled >= seen.Cancelled && again.Pending >= 0, $"The figures are {again}, after {seen}.");
        });
        run.Check(() => stage.RequireOver(ticks: 2));
    }
}

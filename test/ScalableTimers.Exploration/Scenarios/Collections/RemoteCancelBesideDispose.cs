using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// The service is disposed while two threads cancel: each callback is cancelled or dropped, once, and counted once.
/// </summary>
internal sealed class RemoteCancelBesideDispose : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        bool isFirst = false, isSecond = false;
        ScheduledTimer first = default, second = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                first = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(5));
                second = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(5));
            },
            body: () => isFirst = first.Cancel());
        run.Run("cancels", () => isSecond = second.Cancel());
        run.Run("disposes", stage.Service.Dispose);
        run.Check(() =>
        {
            stage.RequireDisposed();
            var seen = stage.RequireInOrder();
            var cancelled = (isFirst ? 1 : 0) + (isSecond ? 1 : 0);
            Interleaving.Require(
                fired == 0 && seen.Cancelled == cancelled && seen.Dropped == 2 - cancelled,
                $"{cancelled} were cancelled, and the figures are {seen}.");
        });
    }
}

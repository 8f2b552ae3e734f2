using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// The service is disposed in steps while callbacks are cancelled, rescheduled, scheduled and expire: each runs, is
/// cancelled or is dropped, once.
/// </summary>
internal sealed class DisposeBesideCallbacks : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        bool isCancelled = false, isScheduled = false;
        ScheduledTimer first = default, second = default, third = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                stage.AddBallast();
                first = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1));
                second = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(5));
                third = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(5));
            },
            body: () =>
            {
                second.Reschedule(Stage.Ticks(1_000_000));
                isCancelled = third.Cancel();
                try
                {
                    stage.Service.Schedule(_ => fired++, null, Stage.Ticks(2));
                    isScheduled = true;
                }
                catch (ObjectDisposedException)
                {
                }
            });
        run.Run("disposes", stage.Service.Dispose);
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.RequireDisposed();
            var seen = stage.RequireInOrder();
            stage.Pass(2_000_000);
            var all = fired + (isCancelled ? 1 : 0) + seen.Dropped;
            Interleaving.Require(fired <= 1, $"{fired} callbacks have run, and one was due before disposal.");
            Interleaving.Require(
                all == Stage.MoreThanAStep + 3 + (isScheduled ? 1 : 0),
                $"{fired} callbacks have run, {seen.Dropped} were dropped; cancelled: {isCancelled}, scheduled: "
                + $"{isScheduled}.");
        });
    }
}

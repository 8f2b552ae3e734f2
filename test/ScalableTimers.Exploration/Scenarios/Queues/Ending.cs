using ScalableTimers.Timers;

namespace ScalableTimers.Exploration.Scenarios.Queues;

/// <summary>A service is stopped and disposed.</summary>
internal static class Ending
{
    /// <summary>
    /// The service is disposed while callbacks are cancelled, rescheduled, scheduled and expire: each runs, is
    /// cancelled or is dropped, once.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void DisposeBesideCallbacks(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        bool isCancelled = false, isScheduled = false;
        ScheduledTimer first = default, second = default, third = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                first = stage.Schedule(1, () => fired++);
                second = stage.Schedule(5, () => fired++);
                third = stage.Schedule(5, () => fired++);
            },
            body: () =>
            {
                second.Reschedule(Ticks(1_000_000));
                isCancelled = third.Cancel();
                try
                {
                    stage.Schedule(2, () => fired++);
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
            Require(fired <= 1, $"{fired} callbacks have run, and one was due before disposal.");
            Require(
                all == 3 + (isScheduled ? 1 : 0),
                $"{fired} callbacks have run, {seen.Dropped} were dropped; cancelled: {isCancelled}, scheduled: "
                + $"{isScheduled}.");
        });
    }

    /// <summary>A callback is scheduled while the service stops, which only ends delays: it fires on time.</summary>
    [Scenario]
    internal static void ScheduleBesideStop(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        run.Run("owner", prepare: () => stage.Schedule(50), body: () => stage.Schedule(2, () => fired++));
        run.Run("stops", stage.Stop);
        run.Check(() =>
        {
            stage.Pass(3);
            Require(fired == 1, $"A callback that is due has run {fired} times.");
            stage.RequireOver(ticks: 50);
        });
    }
}

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

    /// <summary>
    /// Two threads stop the service and dispose it. Each step is taken once, and no delay is pending when both have
    /// finished.
    /// </summary>
    [Scenario]
    internal static void TwoEndTheService(Interleaving run)
    {
        var stage = new Stage(run);
        ValueTask<bool> delay = default;
        run.Run("ends", prepare: () => delay = stage.Delay(5), body: End, kind: "ends");
        run.Run("ends too", End, kind: "ends");
        run.Check(() =>
        {
            Require(OutcomeOf(delay) == false, "A delay is pending after the service has stopped.");
            Require(stage.Figures is { Pending: 0, Cancelled: 1, Dropped: 0 }, "The figures are wrong.");
        });

        void End()
        {
            stage.Stop();
            stage.Service.Dispose();
        }
    }

    /// <summary>
    /// The service is disposed while two threads cancel: each callback is cancelled or dropped, once, and counted once.
    /// </summary>
    [Scenario]
    internal static void RemoteCancelBesideDispose(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        bool isFirst = false, isSecond = false;
        ScheduledTimer first = default, second = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                first = stage.Schedule(5, () => fired++);
                second = stage.Schedule(5, () => fired++);
            },
            body: () => isFirst = first.Cancel());
        run.Run("cancels", () => isSecond = second.Cancel());
        run.Run("disposes", stage.Service.Dispose);
        run.Check(() =>
        {
            stage.RequireDisposed();
            var seen = stage.RequireInOrder();
            var cancelled = (isFirst ? 1 : 0) + (isSecond ? 1 : 0);
            Require(
                fired == 0 && seen.Cancelled == cancelled && seen.Dropped == 2 - cancelled,
                $"{cancelled} were cancelled, and the figures are {seen}.");
        });
    }
}

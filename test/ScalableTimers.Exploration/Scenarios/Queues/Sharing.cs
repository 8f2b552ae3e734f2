using ScalableTimers.Exploration.Engine;
using static ScalableTimers.Exploration.Engine.Interleaving;
using static ScalableTimers.Exploration.Scenarios.Stage;

namespace ScalableTimers.Exploration.Scenarios.Queues;

/// <summary>All threads share one queue, where timers fire in order.</summary>
internal static class Sharing
{
    /// <summary>
    /// Where timers fire in order, two threads schedule, cancel and reschedule while the clock is advanced: each fires
    /// once or not at all, none early.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void SharedQueue(Interleaving run)
    {
        var stage = new Stage(run, firesInOrder: true);
        var fired = 0;
        var isCancelled = false;
        ScheduledTimer timer = default;
        run.Run(
            "a",
            prepare: () => timer = stage.Schedule(1, () => fired++),
            body: () =>
            {
                isCancelled = timer.Cancel();
                stage.Schedule(1, () => fired += 10);
            });
        run.Run("b", () => timer.Reschedule(Ticks(2)));
        run.Run("driver", () => stage.Advance(1));
        run.Check(() =>
        {
            Require(
                stage.Linked == stage.RequireInOrder().Pending,
                "Where timers fire in order an entry is linked in vain.");
            stage.RequireOver(ticks: 3);
            Require(
                fired == (isCancelled ? 10 : 11),
                $"The callbacks have run {fired % 10} and {fired / 10} times, the first was cancelled: {isCancelled}.");
        });
    }

    /// <summary>
    /// Where timers fire in order, two threads schedule the nearest deadline at once while the driver falls asleep: it
    /// wakes for the nearer one.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void TwoAnnounceInASharedQueue(Interleaving run)
    {
        var stage = new Stage(run, firesInOrder: true);
        int soon = 0, later = 0;
        run.Run(
            "driver",
            prepare: () =>
            {
                stage.Schedule(100);
                stage.Schedule(1);
            },
            body: () => stage.Advance(1));
        run.Run("a", () => stage.Schedule(4, () => later++));
        run.Run("b", () => stage.Schedule(2, () => soon++));
        run.Check(() =>
        {
            stage.Pass(2);
            Require(
                soon == 1 && later == 0,
                $"After 3 ticks the callbacks due after 2 and 4 have run {soon} and {later} times.");
            stage.Pass(2);
            Require(
                soon == 1 && later == 1,
                $"After 5 ticks the callbacks due after 2 and 4 have run {soon} and {later} times.");
            stage.RequireOver(ticks: 100);
        });
    }
}

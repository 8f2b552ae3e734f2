using ScalableTimers.Exploration.Engine;
using static ScalableTimers.Exploration.Engine.Interleaving;

namespace ScalableTimers.Exploration.Scenarios.Driving;

/// <summary>A watchdog watches a firing thread, replaces it, and ends with it.</summary>
/// <remarks>
/// The watchdog looks after 40 ms and, when it has found something running, after 10 ms more: at 40, 50, 90 and 100 ms.
/// </remarks>
internal static class Watching
{
    /// <summary>
    /// The watchdog falls asleep because nothing has run, while the firing thread begins a batch whose first item waits
    /// for the second.
    /// </summary>
    [Scenario]
    internal static void FiringThreadBlocksBesideAWatchdogFallingAsleep(Interleaving run)
    {
        var stage = AfterTheFirstLook(run, batches: 1);
        stage.InItem = (_, item) =>
        {
            if (item == 0)
            {
                stage.RequireSoon(item: 1);
            }
        };
        stage.Start();
    }

    /// <summary>
    /// The watchdog looks at a batch twice while it ends. The firing thread continues to drive or is replaced, but not
    /// both.
    /// </summary>
    [Scenario(Bound = 1, TimePasses = TimePasses.AtAnyPoint)]
    internal static void FiringThreadReplacedBesideItsEnd(Interleaving run) =>
        new FiringThreadStage(run, batches: 2).Start();

    /// <summary>
    /// A firing thread is replaced, comes back and watches, and then takes over from the other thread. The watchdog's
    /// counts begin again each time.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void FiringThreadReplacedTwice(Interleaving run)
    {
        var stage = new FiringThreadStage(run, batches: 4);

        // The third batch is begun when the former firing thread watches.
        stage.BeforeBatch = batch =>
        {
            if (batch == 2)
            {
                run.WaitUntil(() => stage.Watch.IsWatched, "the former firing thread");
            }
        };

        // The first item waits for the next batch, which only another firing thread can begin.
        stage.InItem = (batch, item) =>
        {
            if (item == 0 && (batch is 0 or 2))
            {
                run.WaitUntil(() => stage.Runs[(2 * (batch + 1)) + 1] == 1, "the next batch");
            }
        };
        stage.Start(poolThreads: 2);
    }

    /// <summary>
    /// The watchdog looks into two batches. In the second one it finds another item each time. So the firing thread
    /// makes progress, and is not replaced.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void FiringThreadThatGetsOn(Interleaving run)
    {
        var stage = WhenWatched(run, batches: 2);
        foreach (var moment in new[] { 45, 55, 95, 105 })
        {
            run.Clock.CreateTimer(static _ => { }, null, TimeSpan.FromMilliseconds(moment), Timeout.InfiniteTimeSpan);
        }

        stage.BeforeBatch = batch =>
        {
            if (batch == 1)
            {
                stage.WaitFor(55);
            }
        };
        stage.InItem = (batch, item) =>
        {
            if (batch == 0 && item == 0)
            {
                stage.WaitFor(45);
            }
            else if (batch == 1)
            {
                stage.WaitFor(item == 0 ? 95 : 105);

                // The call throws in a callback. Then the item has not run.
                Require(stage.FiringThreads == 0, "A firing thread that gets on was replaced.");
            }
        };
        stage.Start();
    }

    /// <summary>
    /// The watchdog has looked at a long batch, and then the next batch blocks while the service ends. The watchdog
    /// does not look again, and hands on the blocked batch in time.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void WatchdogEndsBesideASecondBatch(Interleaving run)
    {
        var stage = WhenWatched(run, batches: 2);
        stage.InItem = (batch, item) =>
        {
            if (item == 0 && batch == 0)
            {
                stage.WaitFor(45);
            }
            else if (item == 0)
            {
                stage.RequireSoon(item: 3);
            }
        };
        stage.Start(poolThreads: 2);
        run.Run("disposes", () =>
        {
            run.WaitUntil(() => stage.Begun == 2, "the second batch");
            stage.Watch.Dispose();
        });
    }

    /// <summary>
    /// The firing thread has run a batch and seen the watchdog awake. Then the watchdog falls asleep while the firing
    /// thread begins another one, whose first item waits for the second.
    /// </summary>
    [Scenario]
    internal static void WatchdogFallsAsleepAgain(Interleaving run)
    {
        var stage = WhenWatched(run, batches: 2);

        // At 40 ms the watchdog sees that a batch has run, and at 80 ms that no other has.
        stage.BeforeBatch = batch =>
        {
            if (batch == 1)
            {
                stage.WaitFor(80);
            }
        };
        stage.InItem = (batch, item) =>
        {
            if (batch == 1 && item == 0)
            {
                run.WaitUntil(() => stage.Runs[3] == 1, "the second item");
            }
        };
        stage.Start();
    }

    /// <summary>The service ends while the watchdog falls asleep: the watchdog ends too.</summary>
    [Scenario]
    internal static void WatchdogAsleepAtTheEnd(Interleaving run) => AfterTheFirstLook(run, batches: 0).Start();

    // The watchdog looks once, finds that nothing has run, and sleeps.
    private static FiringThreadStage AfterTheFirstLook(Interleaving run, int batches)
    {
        var stage = new FiringThreadStage(run, batches);
        stage.BeforeTheFirstBatch = () => stage.WaitFor(40);
        return stage;
    }

    private static FiringThreadStage WhenWatched(Interleaving run, int batches)
    {
        var stage = new FiringThreadStage(run, batches);
        stage.BeforeTheFirstBatch = () => run.WaitUntil(() => stage.Watch.IsWatched, "the watchdog");
        return stage;
    }
}

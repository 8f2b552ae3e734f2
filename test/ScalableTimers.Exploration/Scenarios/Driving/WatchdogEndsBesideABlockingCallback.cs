using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Driving;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The service ends while the firing thread begins a batch whose first item waits for the second. The second item runs
/// on one of the threads.
/// </summary>
internal sealed class WatchdogEndsBesideABlockingCallback : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new TickClock(run.Clock, TimeSpan.FromMilliseconds(10));
        var dispatcher = new FiringDispatcher(clock, NullLogger.Instance);
        var watch = new FiringWatchdog(clock);
        bool hasRun = false, isDisposed = false;
        run.Run("watchdog", () => _ = watch.UntilTakeOver());
        run.Run("firing thread", () =>
        {
            run.WaitUntil(() => watch.IsWatched || isDisposed, "the watchdog");
            var batch = dispatcher.Rent();
            batch.Add(new FiringItem(_ => run.WaitUntil(() => hasRun, "the second item"), null));
            batch.Add(new FiringItem(_ => hasRun = true, null));
            dispatcher.EnterWorker();
            batch.Begin(run.Clock.Now);
            if (watch.TryBegin(batch))
            {
                batch.RunHere();
                watch.TryEnd();
                return;
            }

            // There is one more worker than pool threads.
            batch.QueueBegun();
            dispatcher.ExitWorker();
            while (!hasRun)
            {
                run.WaitUntil(() => hasRun || run.Pool.Count > 0, "work for the pool");
                run.Pool.Drain();
            }
        });
        run.Run("disposes", () =>
        {
            run.WaitUntil(() => watch.IsWatched || hasRun, "the watchdog");
            watch.Dispose();
            isDisposed = true;
        });
        run.PoolThreads(1);
        run.Check(() => Interleaving.Require(hasRun, "The second item has not run."));
    }
}

using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A thread that looked long ago hands a batch on, while the batch ends, is rented, filled and queued again. Each item
/// runs once, and the batch is returned once each time.
/// </summary>
internal sealed class BatchHandedOnBesideItsEnd : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance);
        var lives = new TwoLivesOfABatch(dispatcher);
        run.Run(
            "driver",
            prepare: lives.FillFirst,
            body: () =>
            {
                lives.First.Queue(now: 0);
                run.Pool.Drain();
                lives.FillSecond().Queue(now: 0);
                run.Pool.Drain();
            });
        run.Run("watchdog", () => lives.First.HandOn(now: 0));
        run.PoolThreads(1);
        run.Check(() =>
        {
            run.Pool.Drain();
            lives.RequireInOrder();
        });
    }
}

using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The first item of a batch blocks, and the pool has no other thread for two seconds: the remaining items are counted
/// as late once, although two threads come for them.
/// </summary>
internal sealed class RestOfABatchWaitsForThePool : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance);
        var batch = dispatcher.Rent();
        bool isPoolReady = false, hasRun = false;
        batch.Add(new FiringItem(
            _ =>
            {
                run.Clock.PassTo(TimeSpan.FromSeconds(2).Ticks);
                isPoolReady = true;
                run.WaitUntil(() => hasRun, "the second item");
            },
            null));
        batch.Add(new FiringItem(_ => hasRun = true, null));
        batch.Add(new FiringItem(static _ => { }, null));
        run.Run("pool", prepare: () => batch.Queue(run.Clock.Now), body: run.Pool.Drain);
        run.Run("pool too", () =>
        {
            run.WaitUntil(() => isPoolReady, "the first item");
            run.Pool.Drain();
        });
        run.Check(() =>
        {
            run.Pool.Drain();
            Interleaving.Require(
                dispatcher is { Fired: 3, PoolWaits: 2 },
                $"{dispatcher.PoolWaits} firings are counted as late, of {dispatcher.Fired}.");
            Interleaving.Require(
                dispatcher.LongestPoolWait == TimeSpan.FromSeconds(2),
                $"The longest wait is {dispatcher.LongestPoolWait}.");
        });
    }
}

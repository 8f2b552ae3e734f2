using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two batches have waited for the pool for too long. Each item that waited is counted, the longest wait is kept, and
/// there is one warning.
/// </summary>
internal sealed class BatchWaitsForThePool : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var logger = new CountingLogger();
        var dispatcher = new FiringDispatcher(new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), logger);
        run.Run(
            "queues",
            prepare: () =>
            {
                for (var i = 0; i < 2; i++)
                {
                    var batch = dispatcher.Rent();
                    batch.Add(new FiringItem(static _ => { }, null));
                    batch.Queue(now: run.Clock.Now);
                    run.Clock.PassTo(TimeSpan.FromSeconds(i + 1).Ticks);
                }
            },
            body: () =>
            {
                var ended = dispatcher.WaitForOthersAsync();
                run.WaitUntil(() => ended.IsCompleted, "end of all callbacks");
                Interleaving.Require(
                    dispatcher.PoolWaits == 2, $"{dispatcher.PoolWaits} callbacks are counted as late.");
                Interleaving.Require(
                    dispatcher.LongestPoolWait == TimeSpan.FromSeconds(2),
                    $"The longest wait is {dispatcher.LongestPoolWait}.");
                Interleaving.Require(logger.Count(2) == 1, $"There were {logger.Count(2)} warnings.");
                Interleaving.Require(dispatcher is { Fired: 2, Failed: 0 }, "The figures are wrong.");
            });
        run.PoolThreads(2);
    }
}

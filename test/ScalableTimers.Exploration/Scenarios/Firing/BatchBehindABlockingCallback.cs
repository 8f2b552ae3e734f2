using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The first callback of a batch blocks until the last one has run. The next free thread continues with the rest.
/// </summary>
internal sealed class BatchBehindABlockingCallback : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance);
        var runs = new int[3];
        var batch = dispatcher.Rent();
        for (var i = 0; i < runs.Length; i++)
        {
            var item = i;
            batch.Add(new FiringItem(
                _ =>
                {
                    if (item == 0)
                    {
                        run.WaitUntil(() => runs[^1] == 1, "the last callback");
                    }

                    runs[item]++;
                },
                null));
        }

        run.PoolThreads(2);
        run.Run("queues", () =>
        {
            batch.Queue(now: 0);
            var ended = dispatcher.WaitForOthersAsync();
            run.WaitUntil(() => ended.IsCompleted, "end of all callbacks");
            Interleaving.Require(
                runs.All(static count => count == 1), $"The items have run {string.Join(", ", runs)} times.");
            Interleaving.Require(dispatcher.Fired == runs.Length, $"{dispatcher.Fired} firings are counted.");
        });
    }
}

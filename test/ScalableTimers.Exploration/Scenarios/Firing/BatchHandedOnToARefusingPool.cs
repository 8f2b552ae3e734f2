using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A batch whose first item waits for the last is handed on to a pool that refuses it, and may have queued it all the
/// same. The thread that hands it on runs the rest.
/// </summary>
internal sealed class BatchHandedOnToARefusingPool : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance)
        {
            Supply = new ScarceThreads(failingStarts: 0, failingTurns: 2, queuesFailingTurns: true),
        };
        var batch = dispatcher.Rent();
        var runs = new int[3];
        for (var i = 0; i < runs.Length; i++)
        {
            var item = i;
            batch.Add(new FiringItem(
                _ =>
                {
                    if (item == 0)
                    {
                        run.WaitUntil(() => runs[^1] == 1, "the last item");
                    }

                    runs[item]++;
                },
                null));
        }

        run.Run(
            "firing thread",
            prepare: () =>
            {
                dispatcher.EnterWorker();
                batch.Begin(now: 0);
            },
            body: batch.RunHere);
        run.Run("watchdog", () => batch.HandOn(now: 0));
        run.PoolThreads(1);
        run.Check(() =>
        {
            run.Pool.Drain();
            Interleaving.Require(
                runs.All(static count => count == 1), $"The items have run {string.Join(", ", runs)} times.");
            Interleaving.Require(
                dispatcher.WaitForOthersAsync().IsCompleted, "Workers are counted as running after all have ended.");
            Interleaving.Require(
                ReferenceEquals(dispatcher.Rent(), batch) && batch is { Count: 0, Taken: 0 },
                "The batch was not given back.");
        });
    }
}

using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Driving;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The pool refuses a batch and has queued it all the same; the batch is used again, and queued again. Each item runs once, whichever of the two the
/// pool's thread comes for, and when.
/// </summary>
internal class BatchRefusedByThePool : Scenario
{
    protected virtual int Refusals => 1;

    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance)
        {
            Supply = new ScarceThreads(failingStarts: 0, failingTurns: Refusals, queuesFailingTurns: true),
        };
        var runs = new int[4];
        FiringBatch? first = null;
        run.Run(
            "driver",
            prepare: () => first = Fill(dispatcher, runs, 0),
            body: () =>
            {
                dispatcher.EnterWorker();
                first!.Queue(now: 0);
                Fill(dispatcher, runs, 2).Queue(now: 0);
                dispatcher.ExitWorker();
                var ended = dispatcher.WaitForOthersAsync();
                run.WaitUntil(() => ended.IsCompleted, "end of all callbacks");
                Interleaving.Require(runs.All(static count => count == 1), $"The items have run {string.Join(", ", runs)} times.");
            });
        run.PoolThreads(1);
        run.Check(() =>
        {
            run.Pool.Drain();
            Interleaving.Require(runs.All(static count => count == 1), $"The items have run {string.Join(", ", runs)} times.");
            Interleaving.Require(dispatcher.Fired == runs.Length, $"{dispatcher.Fired} firings are counted.");
            Interleaving.Require(dispatcher.WaitForOthersAsync().IsCompleted, "Workers are counted as running after all have ended.");
            var batches = new[] { dispatcher.Rent(), dispatcher.Rent(), dispatcher.Rent() };
            Interleaving.Require(batches.Distinct().Count() == batches.Length, "A batch was given back twice.");
            Interleaving.Require(batches.Contains(first), "A batch was not given back.");
            Interleaving.Require(Array.TrueForAll(batches, static batch => batch.Count == 0 && batch.Taken == 0), "A batch was given back with items.");
        });
    }

    private static FiringBatch Fill(FiringDispatcher dispatcher, int[] runs, int first)
    {
        var batch = dispatcher.Rent();
        for (var i = first; i < first + 2; i++)
        {
            var item = i;
            batch.Add(new FiringItem(_ => runs[item]++, null));
        }

        return batch;
    }
}

using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The pool refuses a batch and has queued it all the same; the batch is used again, and queued again. Each item runs
/// once, whichever of the two queue entries the pool's thread takes, and when.
/// </summary>
internal class BatchRefusedByThePool : Scenario
{
    protected virtual int Refusals => 1;

    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance)
        {
            Supply = new ScarceThreads(failingStarts: 0, failingTurns: Refusals, queuesFailingTurns: true),
        };
        var lives = new TwoLivesOfABatch(dispatcher);
        run.Run(
            "driver",
            prepare: lives.FillFirst,
            body: () =>
            {
                dispatcher.EnterWorker();
                lives.First.Queue(now: 0);
                lives.FillSecond().Queue(now: 0);
                dispatcher.ExitWorker();
                var ended = dispatcher.WaitForOthersAsync();
                run.WaitUntil(() => ended.IsCompleted, "end of all callbacks");
                lives.RequireEachRunOnce();
            });
        run.PoolThreads(1);
        run.Check(() =>
        {
            run.Pool.Drain();
            lives.RequireInOrder();
        });
    }
}

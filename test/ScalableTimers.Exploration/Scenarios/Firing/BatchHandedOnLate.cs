using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A batch that a thread has run for a while is handed on to a pool that is late. The reported wait begins when the
/// batch is handed on. The same holds for the batch's next life.
/// </summary>
internal sealed class BatchHandedOnLate : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance);
        var batch = dispatcher.Rent();
        bool isPoolReady = false, hasRun = false, isPoolDone = false;
        batch.Add(new FiringItem(
            _ =>
            {
                PassTo(seconds: 10);
                batch.HandOn(run.Clock.Now);
                PassTo(seconds: 12);
                isPoolReady = true;
                run.WaitUntil(() => hasRun, "the second item");
            },
            null));
        batch.Add(new FiringItem(_ => hasRun = true, null));
        run.Run("firing thread", () =>
        {
            dispatcher.EnterWorker();
            PassTo(seconds: 1);
            batch.Begin(run.Clock.Now);
            batch.RunHere();

            // The batch is queued, and a worker takes it a second later.
            run.WaitUntil(() => isPoolDone, "the pool");
            dispatcher.EnterWorker();
            batch = dispatcher.Rent();
            batch.Add(new FiringItem(static _ => { }, null));
            batch.Queue(run.Clock.Now);
            dispatcher.ExitWorker();
        });
        run.Run("pool", () =>
        {
            run.WaitUntil(() => isPoolReady, "handing on");
            run.Pool.Drain();
            isPoolDone = true;
            run.WaitUntil(() => run.HasEnded("firing thread"), "the firing thread");
            PassTo(seconds: 13);
            run.Pool.Drain();
            Interleaving.Require(
                dispatcher is { Fired: 3, PoolWaits: 2 },
                $"{dispatcher.PoolWaits} firings are counted as late, of {dispatcher.Fired}.");
            Interleaving.Require(
                dispatcher.LongestPoolWait == TimeSpan.FromSeconds(2),
                $"The longest wait is {dispatcher.LongestPoolWait}.");
        });

        void PassTo(int seconds) => run.Clock.PassTo(TimeSpan.FromSeconds(seconds).Ticks);
    }
}

using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A batch is handed on twice. The pool takes it at once the first time, and late the second time. The second wait is
/// reported, although the first one was checked too.
/// </summary>
internal sealed class BatchHandedOnTwice : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance);
        var batch = dispatcher.Rent();
        bool isBlocked = false, isPoolReady = false, hasRun = false;
        batch.Add(new FiringItem(
            _ =>
            {
                batch.HandOn(run.Clock.Now);
                run.WaitUntil(() => isBlocked, "the second item");
                batch.HandOn(run.Clock.Now);
                run.Clock.PassTo(TimeSpan.FromSeconds(2).Ticks);
                isPoolReady = true;
                run.WaitUntil(() => hasRun, "the third item");
            },
            null));
        batch.Add(new FiringItem(
            _ =>
            {
                isBlocked = true;
                run.WaitUntil(() => hasRun, "the third item");
            },
            null));
        batch.Add(new FiringItem(_ => hasRun = true, null));
        run.Run("firing thread", () =>
        {
            dispatcher.EnterWorker();
            batch.Begin(run.Clock.Now);
            batch.RunHere();
        });
        run.Run("pool", () =>
        {
            run.WaitUntil(() => run.Pool.Count == 1, "handing on");
            run.Pool.Drain();
        });
        run.Run("pool too", () =>
        {
            run.WaitUntil(() => isPoolReady, "handing on again");
            run.Pool.Drain();
        });
        run.Check(() =>
        {
            run.Pool.Drain();
            Interleaving.Require(
                dispatcher is { Fired: 3, PoolWaits: 1 },
                $"{dispatcher.PoolWaits} firings are counted as late, of {dispatcher.Fired}.");
            Interleaving.Require(
                dispatcher.LongestPoolWait == TimeSpan.FromSeconds(2),
                $"The longest wait is {dispatcher.LongestPoolWait}.");
        });
    }
}

using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A callback begins to wait for the others and returns without having waited. Its thread fires the next callback. The
/// wait includes that one too, and no longer excludes the callback that began it.
/// </summary>
internal sealed class CallbackWaitsAndItsThreadFiresOn : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance);
        Task? others = null;
        var batch = dispatcher.Rent();
        batch.Add(new FiringItem(_ => others = dispatcher.WaitForOthersAsync(), null));
        batch.Add(new FiringItem(
            _ =>
            {
                var hadEnded = others!.IsCompleted;
                Interleaving.Point("in the second callback");
                Interleaving.Require(hadEnded || !others!.IsCompleted, "The wait has ended while a callback runs.");
            },
            null));
        run.Run("fires", () =>
        {
            dispatcher.EnterWorker();
            batch.Begin(now: 0);
            batch.RunHere();
        });
        run.Run(
            "fires besides",
            () => dispatcher.EnterAndFireHere(new FiringItem(static _ => Interleaving.Point("in a callback"), null)));
        run.PoolThreads(1);
        run.Check(() => Interleaving.Require(others!.IsCompleted, "The wait has not ended."));
    }
}

using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A thread waits for a running callback while the wait for an earlier one ends. It does not miss the callback's end.
/// </summary>
internal sealed class WaitBesideTheEndOfAnotherWait : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance);
        Task? first = null, second = null;
        var isRunning = false;
        run.Run(
            "ends",
            prepare: () =>
            {
                dispatcher.EnterWorker();
                first = dispatcher.WaitForOthersAsync();
            },
            body: dispatcher.ExitWorker);
        run.Run("fires", () => dispatcher.EnterAndFireHere(new FiringItem(
            _ =>
            {
                isRunning = true;
                run.WaitUntil(() => second is not null, "the second wait");
                isRunning = false;
            },
            null)));
        run.Run("waits", () =>
        {
            run.WaitUntil(() => isRunning, "the callback");
            second = dispatcher.WaitForOthersAsync();
            run.WaitUntil(() => first!.IsCompleted && second.IsCompleted, "end of the callbacks");
            Interleaving.Require(!isRunning, "A callback that ran before the wait runs after it.");
        });
    }
}

using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>A thread waits for the running callbacks. The wait ends, and not before they have returned.</summary>
internal class WaitForOthers : Scenario
{
    protected virtual int Waiting => 1;

    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance);
        var isRunning = false;
        run.Run("fires", () => dispatcher.EnterAndFireHere(new FiringItem(
            _ =>
            {
                isRunning = true;
                Interleaving.Point("in the callback");
                isRunning = false;
            },
            null)));
        for (var i = 1; i <= Waiting; i++)
        {
            run.Run($"waits {i}", Wait, kind: "waits");
        }

        void Wait()
        {
            var wasRunning = isRunning;
            var others = dispatcher.WaitForOthersAsync();
            run.WaitUntil(() => others.IsCompleted, "end of the others");
            Interleaving.Require(!wasRunning || !isRunning, "A callback that ran before the wait runs after it.");
        }
    }
}

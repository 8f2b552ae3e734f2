using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Driving;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Two threads wait for the callbacks that run, while the last one returns: both waits end.</summary>
internal sealed class TwoWaitForOthers : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance);
        var isRunning = false;
        run.Run("fires", () => dispatcher.FireHere(new FiringItem(
            _ =>
            {
                isRunning = true;
                Interleaving.Point("in the callback");
                isRunning = false;
            },
            null)));
        foreach (var name in new[] { "waits", "waits too" })
        {
            run.Run(name, () =>
            {
                var wasRunning = isRunning;
                var others = dispatcher.WaitForOthersAsync();
                run.WaitUntil(() => others.IsCompleted, "end of the others");
                Interleaving.Require(!wasRunning || !isRunning, "A callback that ran before the wait runs after it.");
            });
        }
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>The same while the driver expires the place where the delay begins.</summary>
internal sealed class DelayBegunWhileTheServiceStopsAndTheDriverLooks : DelayBegunWhileTheServiceStops
{
    protected override void AddThreads(Interleaving run, ExplorerClock clock) =>
        run.Run("driver", () => clock.Advance(TimeSpan.FromMilliseconds(50)));
}

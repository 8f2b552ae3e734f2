using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>The same while the driver expires due timers.</summary>
internal sealed class DelayCancelledHereAndReadElsewhereAndExpiring : DelayCancelledHereAndReadElsewhere
{
    protected override void AddThreads(Interleaving run, Stage stage) =>
        run.Run("driver", () => stage.Pass(2));
}

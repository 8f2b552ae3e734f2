using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>The same while the driver expires what is due.</summary>
internal sealed class DelayCancelledHereAndReadElsewhereAndExpiring : DelayCancelledHereAndReadElsewhere
{
    // Its threads share much: two preemptions take tens of thousands of interleavings. Full length has them.
    internal override int Bound => 1;

    protected override void AddThreads(Interleaving run, Stage stage) =>
        run.Run("driver", () => stage.Pass(2));
}

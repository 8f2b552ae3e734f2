using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// The same while the driver empties the delay's slot. When its time is over, no empty entry is linked.
/// </summary>
internal sealed class DelayReadWhileItsSlotCascades : DelayReadElsewhereWhileTheStoreIsFull
{
    protected override ValueTask<bool> Begin(Stage stage, CancellationToken token)
    {
        var delay = stage.Service.TryDelay(Stage.Ticks(70), token);
        stage.PassFirstTick();
        return delay;
    }

    protected override void AddThreads(Interleaving run, Stage stage) => run.Run("driver", () => stage.Pass(63));

    // The driver may have found the entry before the delay was read.
    protected override void RequireUnlinked(Stage stage)
    {
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The same while the service ends. The watchdog does not look again, and hands on the batch that runs then.
/// </summary>
internal sealed class WatchdogEndsBesideASecondBatch : TwoBatchesBlock
{
    protected override void AddThreads(Interleaving run, State state) =>
        run.Run("disposes", () =>
        {
            run.WaitUntil(() => state.Begun == 2, "the second batch");
            state.Watch.Dispose();
        });
}

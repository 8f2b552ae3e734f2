using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The same while the service ends: the watchdog, which does not look again, hands on what runs then.
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

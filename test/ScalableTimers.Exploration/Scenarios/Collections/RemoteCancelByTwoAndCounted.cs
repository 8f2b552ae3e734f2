using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// The same while a thread takes a snapshot, which also takes the cancelled entries out of the queue. It takes another
/// one when both have cancelled.
/// </summary>
internal sealed class RemoteCancelByTwoAndCounted : RemoteCancelByTwo
{
    internal override int Bound => 1;

    protected override void AddThreads(Interleaving run, Stage stage) => run.Run("counts", () =>
    {
        Interleaving.Require(stage.Service.GetSnapshot().Pending >= 0, "Fewer than no timers are pending.");
        run.WaitUntil(() => run.HasEnded("cancels") && run.HasEnded("cancels too"), "end of the cancels");
        var cancelled = stage.Service.GetSnapshot().Cancelled;
        Interleaving.Require(cancelled == 2, $"{cancelled} are counted as cancelled after two were.");
    });
}

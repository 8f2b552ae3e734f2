using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The last item of a batch returns at the moment of the relief's second look: the leader leads on or is relieved, and one of the two.</summary>
internal sealed class LeaderRelievedAtItsEnd : LeaderAndReliefScenario
{
    protected override int Batches => 2;

    protected override void BeforeTheFirstBatch(Interleaving run, State state) => run.WaitUntil(() => state.Watch.IsWatched, "the relief");

    protected override void RunItem(Interleaving run, State state, int batch, int item)
    {
        if (batch == 0 && item == 1)
        {
            run.WaitUntil(() => run.Clock.Elapsed >= TimeSpan.FromMilliseconds(50), "the relief's second look");
        }
    }
}

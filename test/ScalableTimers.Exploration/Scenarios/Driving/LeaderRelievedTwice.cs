using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>A leader is relieved, comes back and watches, and relieves the other in its turn: what the watch counts begins anew each time.</summary>
internal sealed class LeaderRelievedTwice : LeaderAndReliefScenario
{
    internal override int Bound => 1;

    protected override int Batches => 4;

    protected override int PoolThreads => 2;

    // The third batch is begun when the former leader watches.
    protected override void BeforeBatch(Interleaving run, State state, int batch)
    {
        if (batch == 2)
        {
            run.WaitUntil(() => state.Watch.IsWatched, "the former leader");
        }
    }

    // The first item waits for the next batch, which only another leader can begin.
    protected override void RunItem(Interleaving run, State state, int batch, int item)
    {
        if (item == 0 && (batch is 0 or 2))
        {
            run.WaitUntil(() => state.Runs[(2 * (batch + 1)) + 1] == 1, "the next batch");
        }
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The leader has run a batch and seen the relief awake. Then the relief falls asleep while the leader begins another one, whose first item waits for
/// the second.
/// </summary>
internal sealed class ReliefFallsAsleepAgain : LeaderAndReliefScenario
{
    protected override int Batches => 2;

    protected override void BeforeTheFirstBatch(Interleaving run, State state) => run.WaitUntil(() => state.Watch.IsWatched, "the relief");

    // At 40 ms the relief sees that a batch has run, and at 80 ms that no other has.
    protected override void BeforeBatch(Interleaving run, State state, int batch)
    {
        if (batch == 1)
        {
            run.WaitUntil(() => run.Clock.Elapsed >= TimeSpan.FromMilliseconds(80), "the relief's second look");
        }
    }

    protected override void RunItem(Interleaving run, State state, int batch, int item)
    {
        if (batch == 1 && item == 0)
        {
            run.WaitUntil(() => state.Runs[3] == 1, "the second item");
        }
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The watchdog has looked at a long batch, and then the next batch blocks. The blocked batch is handed on, and in
/// time.
/// </summary>
internal class TwoBatchesBlock : FiringThreadScenario
{
    internal override int Bound => 1;

    protected override int Batches => 2;

    protected override int PoolThreads => 2;

    protected override void BeforeTheFirstBatch(Interleaving run, State state) =>
        run.WaitUntil(() => state.Watch.IsWatched, "the watchdog");

    protected override void RunItem(Interleaving run, State state, int batch, int item)
    {
        if (item != 0)
        {
            return;
        }

        if (batch == 0)
        {
            run.WaitUntil(() => run.Clock.Elapsed >= TimeSpan.FromMilliseconds(45), "the watchdog's first look");
            return;
        }

        var begunAt = run.Clock.Elapsed;
        run.WaitUntil(() => state.Runs[3] == 1, "the second item");
        var waited = run.Clock.Elapsed - begunAt;
        Interleaving.Require(
            waited <= TimeSpan.FromMilliseconds(50),
            $"The second item has run {waited.TotalMilliseconds} ms after the first; five resolutions are the "
            + "longest.");
    }
}

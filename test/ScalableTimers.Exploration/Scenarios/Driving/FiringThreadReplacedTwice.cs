using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A firing thread is replaced, comes back and watches, and then takes over from the other thread. The watchdog's
/// counts begin again each time.
/// </summary>
internal sealed class FiringThreadReplacedTwice : FiringThreadScenario
{
    internal override int Bound => 1;

    protected override int Batches => 4;

    protected override int PoolThreads => 2;

    // The third batch is begun when the former firing thread watches.
    protected override void BeforeBatch(Interleaving run, State state, int batch)
    {
        if (batch == 2)
        {
            run.WaitUntil(() => state.Watch.IsWatched, "the former firing thread");
        }
    }

    // The first item waits for the next batch, which only another firing thread can begin.
    protected override void RunItem(Interleaving run, State state, int batch, int item)
    {
        if (item == 0 && (batch is 0 or 2))
        {
            run.WaitUntil(() => state.Runs[(2 * (batch + 1)) + 1] == 1, "the next batch");
        }
    }
}

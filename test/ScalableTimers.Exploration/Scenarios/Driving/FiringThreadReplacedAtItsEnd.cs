using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The last item of a batch returns at the moment of the watchdog's second look. The firing thread continues to drive
/// or is replaced, but not both.
/// </summary>
internal sealed class FiringThreadReplacedAtItsEnd : FiringThreadScenario
{
    protected override int Batches => 2;

    protected override void BeforeTheFirstBatch(Interleaving run, State state) =>
        run.WaitUntil(() => state.Watch.IsWatched, "the watchdog");

    protected override void RunItem(Interleaving run, State state, int batch, int item)
    {
        if (batch == 0 && item == 1)
        {
            run.WaitUntil(() => run.Clock.Elapsed >= TimeSpan.FromMilliseconds(50), "the watchdog's second look");
        }
    }
}

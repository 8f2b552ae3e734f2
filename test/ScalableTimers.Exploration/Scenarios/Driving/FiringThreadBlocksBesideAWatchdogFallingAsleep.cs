using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The watchdog falls asleep because nothing has run, while the firing thread begins a batch whose first item waits for
/// the second.
/// </summary>
internal sealed class FiringThreadBlocksBesideAWatchdogFallingAsleep : FiringThreadScenario
{
    protected override int Batches => 1;

    // After 40 ms the watchdog looks, finds that nothing has run, and sleeps.
    protected override void BeforeTheFirstBatch(Interleaving run, State state) =>
        run.WaitUntil(() => run.Clock.Elapsed >= TimeSpan.FromMilliseconds(40), "the watchdog's first look");

    protected override void RunItem(Interleaving run, State state, int batch, int item)
    {
        if (item == 0)
        {
            var begunAt = run.Clock.Elapsed;
            run.WaitUntil(() => state.Runs[1] == 1, "the second item");
            var waited = run.Clock.Elapsed - begunAt;
            Interleaving.Require(
                waited <= TimeSpan.FromMilliseconds(50),
                $"The second item has run {waited.TotalMilliseconds} ms after the first; five resolutions are the "
                + "longest.");
        }
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The firing thread has run a batch and seen the watchdog awake. Then the watchdog falls asleep while the firing
/// thread begins another one, whose first item waits for the second.
/// </summary>
internal sealed class WatchdogFallsAsleepAgain : FiringThreadScenario
{
    protected override int Batches => 2;

    protected override void BeforeTheFirstBatch(Interleaving run, State state) =>
        run.WaitUntil(() => state.Watch.IsWatched, "the watchdog");

    // At 40 ms the watchdog sees that a batch has run, and at 80 ms that no other has.
    protected override void BeforeBatch(Interleaving run, State state, int batch)
    {
        if (batch == 1)
        {
            run.WaitUntil(() => run.Clock.Elapsed >= TimeSpan.FromMilliseconds(80), "the watchdog's second look");
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

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The watchdog looks into two batches. In the second one it finds another item each time. So the firing thread makes
/// progress, and is not replaced.
/// </summary>
internal sealed class FiringThreadThatGetsOn : FiringThreadScenario
{
    internal override int Bound => 1;

    protected override int Batches => 2;

    // The watchdog looks after 40 ms and, when it has found something running, after 10 ms more: at 40, 50, 90 and 100
    // ms.
    protected override void BeforeTheFirstBatch(Interleaving run, State state)
    {
        run.WaitUntil(() => state.Watch.IsWatched, "the watchdog");
        foreach (var moment in new[] { 45, 55, 95, 105 })
        {
            run.Clock.CreateTimer(static _ => { }, null, TimeSpan.FromMilliseconds(moment), Timeout.InfiniteTimeSpan);
        }
    }

    protected override void BeforeBatch(Interleaving run, State state, int batch)
    {
        if (batch == 1)
        {
            WaitFor(run, 55);
        }
    }

    protected override void RunItem(Interleaving run, State state, int batch, int item)
    {
        if (batch == 0 && item == 0)
        {
            WaitFor(run, 45);
        }
        else if (batch == 1)
        {
            WaitFor(run, item == 0 ? 95 : 105);

            // The call throws in a callback. Then the item has not run.
            Interleaving.Require(state.FiringThreads == 0, "A firing thread that gets on was replaced.");
        }
    }

    private static void WaitFor(Interleaving run, int milliseconds) =>
        run.WaitUntil(() => run.Clock.Elapsed >= TimeSpan.FromMilliseconds(milliseconds), $"{milliseconds} ms");
}

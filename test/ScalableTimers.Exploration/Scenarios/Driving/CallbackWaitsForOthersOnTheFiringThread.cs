using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A callback on the firing thread waits for all others, as DisposeAsync does. The rest of its own batch runs on
/// another thread, and has returned when the callback continues.
/// </summary>
internal sealed class CallbackWaitsForOthersOnTheFiringThread : FiringThreadScenario
{
    protected override int Batches => 1;

    protected override void BeforeTheFirstBatch(Interleaving run, State state) =>
        run.WaitUntil(() => run.Clock.Elapsed >= TimeSpan.FromMilliseconds(40), "the watchdog's first look");

    protected override void RunItem(Interleaving run, State state, int batch, int item)
    {
        if (item == 0)
        {
            var begunAt = run.Clock.Elapsed;
            var others = state.Dispatcher.WaitForOthersAsync();
            run.WaitUntil(() => others.IsCompleted, "the others");
            Interleaving.Require(state.Runs[1] == 1, "The wait for others has ended before the other item.");
            Interleaving.Require(run.Clock.Elapsed == begunAt, "The rest of the batch has waited for the watchdog.");
        }
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The service ends while the watchdog falls asleep: the watchdog ends too.</summary>
internal sealed class WatchdogAsleepAtTheEnd : FiringThreadScenario
{
    protected override int Batches => 0;

    protected override void BeforeTheFirstBatch(Interleaving run, State state) =>
        run.WaitUntil(() => run.Clock.Elapsed >= TimeSpan.FromMilliseconds(40), "the watchdog's first look");
}

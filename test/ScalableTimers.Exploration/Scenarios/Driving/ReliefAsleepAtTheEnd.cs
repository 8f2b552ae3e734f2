using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The service ends while the relief falls asleep: the relief ends too.</summary>
internal sealed class ReliefAsleepAtTheEnd : LeaderAndReliefScenario
{
    protected override int Batches => 0;

    protected override void BeforeTheFirstBatch(Interleaving run, State state) =>
        run.WaitUntil(() => run.Clock.Elapsed >= TimeSpan.FromMilliseconds(40), "the relief's first look");
}

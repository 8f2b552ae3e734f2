using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The relief looks at a batch twice while it ends: the leader leads on or is relieved, and one of the two.</summary>
internal sealed class LeaderRelievedBesideItsEnd : LeaderAndReliefScenario
{
    internal override int Bound => 1;

    internal override TimePasses TimePasses => TimePasses.AtAnyPoint;

    protected override int Batches => 2;
}

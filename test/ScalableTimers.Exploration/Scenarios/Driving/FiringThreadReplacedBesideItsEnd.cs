using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The watchdog looks at a batch twice while it ends: the firing thread drives on or is replaced, and one of the two.
/// </summary>
internal sealed class FiringThreadReplacedBesideItsEnd : FiringThreadScenario
{
    internal override int Bound => 1;

    internal override TimePasses TimePasses => TimePasses.AtAnyPoint;

    protected override int Batches => 2;
}

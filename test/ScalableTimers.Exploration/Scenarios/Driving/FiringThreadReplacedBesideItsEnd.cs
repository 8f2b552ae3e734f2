using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The watchdog looks at a batch twice while it ends. The firing thread continues to drive or is replaced, but not
/// both.
/// </summary>
internal sealed class FiringThreadReplacedBesideItsEnd : FiringThreadScenario
{
    internal override int Bound => 1;

    internal override TimePasses TimePasses => TimePasses.AtAnyPoint;

    protected override int Batches => 2;
}

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The same with a firing thread and its watchdog. Both threads end.</summary>
internal sealed class FiringThreadDisposedBesideItsStart : SourceDisposedBesideItsStart
{
    protected override bool FiresHere => true;
}

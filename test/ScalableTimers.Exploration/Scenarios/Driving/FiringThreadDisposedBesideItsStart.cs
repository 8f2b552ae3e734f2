namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The same with a firing thread that fires itself, and its watchdog: both threads end.</summary>
internal sealed class FiringThreadDisposedBesideItsStart : SourceDisposedBesideItsStart
{
    protected override bool FiresHere => true;
}

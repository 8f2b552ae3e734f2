namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The same with a leader that fires itself, and its relief: both threads end.</summary>
internal sealed class LeaderDisposedBesideItsStart : SourceDisposedBesideItsStart
{
    protected override bool FiresHere => true;
}

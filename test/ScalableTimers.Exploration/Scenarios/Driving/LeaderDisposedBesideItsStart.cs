namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The same with a leader that fires itself, and its relief: both threads end.</summary>
internal sealed class LeaderDisposedBesideItsStart : SourceDisposedBesideItsStart
{
    internal override int Bound => 1;

    protected override bool FiresHere => true;
}

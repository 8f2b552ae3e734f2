namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The same with a leader that fires itself, and its relief.</summary>
internal sealed class NearerTimerBesideASleepingLeader : NearerTimerBesideASleepingThread
{
    protected override bool FiresHere => true;
}

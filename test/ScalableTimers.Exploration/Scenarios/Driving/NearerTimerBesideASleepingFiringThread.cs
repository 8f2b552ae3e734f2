namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The same with a firing thread and its watchdog.</summary>
internal sealed class NearerTimerBesideASleepingFiringThread : NearerTimerBesideASleepingThread
{
    protected override bool FiresHere => true;
}

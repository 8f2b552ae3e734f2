namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The same with a firing thread that fires itself, and its watchdog.</summary>
internal sealed class NearerTimerBesideASleepingFiringThread : NearerTimerBesideASleepingThread
{
    protected override bool FiresHere => true;
}

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Two threads wait for the callbacks that run, while the last one returns: both waits end.</summary>
internal sealed class TwoWaitForOthers : WaitForOthers
{
    protected override int Waiting => 2;
}

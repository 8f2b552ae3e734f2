namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Two threads wait for the running callbacks while the last one returns. Both waits end.</summary>
internal sealed class TwoWaitForOthers : WaitForOthers
{
    protected override int Waiting => 2;
}

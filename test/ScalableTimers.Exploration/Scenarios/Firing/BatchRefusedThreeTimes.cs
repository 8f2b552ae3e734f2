namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The same, and the pool refuses whatever comes next too: the batch's next life, or a second worker.
/// </summary>
internal sealed class BatchRefusedThreeTimes : BatchRefusedByThePool
{
    protected override int Refusals => 3;
}

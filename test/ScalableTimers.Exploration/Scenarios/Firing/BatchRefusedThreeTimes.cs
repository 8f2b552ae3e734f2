namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The same, and the pool also refuses what comes next: the batch's next life, or a second worker.
/// </summary>
internal sealed class BatchRefusedThreeTimes : BatchRefusedByThePool
{
    protected override int Refusals => 3;
}

namespace ScalableTimers.Compare.Running;

/// <summary>What all rounds of all contestants of a workload took.</summary>
internal sealed record WorkloadResult(Workload Workload, IReadOnlyList<ContestantResult> Contestants)
{
    internal ContestantResult this[string contestant] => Contestants.Single(result => result.Name == contestant);
}

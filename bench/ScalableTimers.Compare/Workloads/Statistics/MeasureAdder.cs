namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>The statistics of this library, which also measure the duration. What is measured takes no time.</summary>
internal readonly struct MeasureAdder(OperationStatistics statistics, Operation[] operations) : IAdder
{
    public void Add(int operation, long duration)
    {
        using (statistics.Measure(operations[operation]))
        {
        }
    }
}

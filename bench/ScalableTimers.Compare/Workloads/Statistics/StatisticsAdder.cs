namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>The statistics of this library.</summary>
internal readonly struct StatisticsAdder(OperationStatistics statistics, Operation[] operations) : IAdder
{
    public void Add(int operation, long duration) => statistics.Add(operations[operation], new TimeSpan(duration));
}

using System.Diagnostics;

namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>The statistics of this library, with a duration that the caller measures.</summary>
internal readonly struct StopwatchAdder(OperationStatistics statistics, Operation[] operations) : IAdder
{
    public void Add(int operation, long duration)
    {
        var start = Stopwatch.GetTimestamp();
        statistics.Add(operations[operation], Stopwatch.GetElapsedTime(start));
    }
}

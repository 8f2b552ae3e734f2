using System.Diagnostics;

namespace ScalableTimers.Compare.Running;

/// <summary>The resources that the process has used so far.</summary>
internal readonly record struct Usage(long Timestamp, TimeSpan Processor, long Bytes, int Collections)
{
    internal static Usage Now() => new(
        Stopwatch.GetTimestamp(),
        Environment.CpuUsage.TotalTime,
        GC.GetTotalAllocatedBytes(precise: true),
        GC.CollectionCount(0));

    internal TimeSpan WallUntil(Usage end) => Stopwatch.GetElapsedTime(Timestamp, end.Timestamp);
}

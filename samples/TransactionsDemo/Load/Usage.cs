using System.Diagnostics;

namespace TransactionsDemo.Load;

/// <summary>What the process has used since its start.</summary>
internal readonly record struct Usage(TimeSpan Elapsed, TimeSpan ProcessorTime, long AllocatedBytes)
{
    public static Usage Now =>
        new(Stopwatch.GetElapsedTime(0), Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes());

    public Usage Since(Usage earlier) => new(
        Elapsed - earlier.Elapsed, ProcessorTime - earlier.ProcessorTime, AllocatedBytes - earlier.AllocatedBytes);
}

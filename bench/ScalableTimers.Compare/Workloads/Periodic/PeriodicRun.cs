namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>The report of a child process about its run.</summary>
internal sealed record PeriodicRun
{
    public required int Calls { get; init; }

    public required double Milliseconds { get; init; }

    public required double CpuMilliseconds { get; init; }

    public required long Bytes { get; init; }

    /// <summary>
    /// Gets by how many bytes the working set is larger at the end than before the timer was created.
    /// </summary>
    public required long MemoryGrowth { get; init; }

    /// <summary>Gets the number of additional threads at the end.</summary>
    public required int ThreadGrowth { get; init; }
}

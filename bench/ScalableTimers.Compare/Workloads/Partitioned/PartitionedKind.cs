namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>The kind of timers that are created and disposed.</summary>
internal enum PartitionedKind
{
    Timer,
    GlobalLock,
    TaskDelay,
    Schedule,
    TryDelay,
    TimeProvider,
    TaskDelayOverTimeProvider,

    /// <summary>The loop without a timer.</summary>
    Nothing,
}

namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>What the timers are that are created and disposed of.</summary>
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

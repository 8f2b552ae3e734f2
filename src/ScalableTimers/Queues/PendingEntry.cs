namespace ScalableTimers.Queues;

/// <summary>What was read of a pending entry under its queue's lock.</summary>
internal readonly record struct PendingEntry(
    PendingTimerKind Kind, long DeadlineTick, TimerCallback? Callback, object? State);

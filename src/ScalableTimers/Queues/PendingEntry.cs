namespace ScalableTimers.Queues;

/// <summary>A pending entry, as read under its queue's lock.</summary>
internal readonly record struct PendingEntry(
    PendingTimerKind Kind, long DeadlineTick, TimerCallback? Callback, object? State);

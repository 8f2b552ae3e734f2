namespace ScalableTimers.Queues;

/// <summary>What was read of a pending entry under its queue's lock.</summary>
/// <param name="Kind">The kind of the entry.</param>
/// <param name="DeadlineTick">The deadline.</param>
/// <param name="Callback">The callback; null for a delay.</param>
/// <param name="State">The callback's state; null if the kind of the entry tells enough.</param>
internal readonly record struct PendingEntry(
    PendingTimerKind Kind, long DeadlineTick, TimerCallback? Callback, object? State);

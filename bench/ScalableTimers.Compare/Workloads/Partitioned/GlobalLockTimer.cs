namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>A timer of a <see cref="GlobalLockQueue"/>: a node of its list.</summary>
internal sealed class GlobalLockTimer(GlobalLockQueue queue, TimerCallback callback, object? state, long dueAt)
    : IThreadPoolWorkItem
{
    /// <summary>Gets when it is due, by <see cref="Environment.TickCount64"/>.</summary>
    internal long DueAt { get; } = dueAt;

    // All three are guarded by the queue's lock.
    internal GlobalLockTimer? Previous { get; set; }

    internal GlobalLockTimer? Next { get; set; }

    internal bool IsLinked { get; set; }

    public void Execute() => callback(state);

    internal void Remove() => queue.Remove(this);
}

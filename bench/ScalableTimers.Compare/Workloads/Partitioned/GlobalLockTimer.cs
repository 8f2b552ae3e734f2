namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>A timer of a <see cref="GlobalLockQueue"/>: a node of its list.</summary>
internal sealed class GlobalLockTimer(GlobalLockQueue queue, TimerCallback callback, object? state)
    : IThreadPoolWorkItem
{
    // All five are guarded by the queue's lock.

    /// <summary>Gets or sets when it is due, by <see cref="Environment.TickCount64"/>.</summary>
    internal long DueAt { get; set; }

    internal GlobalLockTimer? Previous { get; set; }

    internal GlobalLockTimer? Next { get; set; }

    internal bool IsLinked { get; set; }

    internal bool HasEnded { get; set; }

    public void Execute() => callback(state);

    internal void Change(TimeSpan dueTime) => queue.Link(this, dueTime);

    internal void Remove() => queue.Remove(this);
}

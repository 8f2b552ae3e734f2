namespace ScalableTimers.Exploration.Engine;

/// <summary>A timer of an <see cref="ExplorerClock"/>.</summary>
internal sealed class ExplorerTimer(ExplorerClock clock, TimerCallback callback, object? state) : ITimer
{
    internal long DueAt { get; set; } = long.MaxValue;

    /// <summary>When it rings again after it has rung; not positive if it does not.</summary>
    internal TimeSpan Period { get; private set; }

    private bool IsDisposed { get; set; }

    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        if (IsDisposed)
        {
            return false;
        }

        Period = period > TimeSpan.Zero ? period : Timeout.InfiniteTimeSpan;
        clock.Set(this, dueTime);
        return true;
    }

    public void Dispose()
    {
        IsDisposed = true;
        clock.Set(this, Timeout.InfiniteTimeSpan);
    }

    public ValueTask DisposeAsync()
    {
        Dispose();
        return default;
    }

    internal void Fire() => callback(state);
}

namespace ScalableTimers.Exploration.Engine;

/// <summary>A timer of an <see cref="ExplorerClock"/> that fires once.</summary>
internal sealed class ExplorerTimer(ExplorerClock clock, TimerCallback callback, object? state) : ITimer
{
    internal long DueAt { get; set; } = long.MaxValue;

    private bool IsDisposed { get; set; }

    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        if (IsDisposed)
        {
            return false;
        }

        if (period > TimeSpan.Zero)
        {
            throw new NotSupportedException("Timers of this clock have no period.");
        }

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

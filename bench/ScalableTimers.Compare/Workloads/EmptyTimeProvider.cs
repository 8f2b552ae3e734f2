namespace ScalableTimers.Compare.Workloads;

/// <summary>
/// A clock that is also its only timer, which does nothing. What .NET's types cost on it is their own overhead, the
/// least they can cost on any clock.
/// </summary>
internal sealed class EmptyTimeProvider : TimeProvider, ITimer
{
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        this;

    public bool Change(TimeSpan dueTime, TimeSpan period) => true;

    public void Dispose()
    {
    }

    public ValueTask DisposeAsync() => default;
}

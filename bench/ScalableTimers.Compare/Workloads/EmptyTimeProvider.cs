namespace ScalableTimers.Compare.Workloads;

/// <summary>
/// A clock that is its own and only timer, which does nothing. What .NET's types cost over it is their own part, the
/// least that they can cost over any clock.
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

namespace ScalableTimers.Compare.Workloads;

/// <summary>
/// A clock whose one timer does nothing. What .NET's types cost over it is their own part, the least that they can cost
/// over any clock.
/// </summary>
internal sealed class EmptyTimeProvider : TimeProvider
{
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        EmptyTimer.Instance;

    private sealed class EmptyTimer : ITimer
    {
        internal static readonly EmptyTimer Instance = new();

        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => default;
    }
}

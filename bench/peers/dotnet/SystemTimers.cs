namespace ScalableTimers.Peer;

/// <summary>.NET's timers.</summary>
internal sealed class SystemTimers : ITimers
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(30);

    public string Name => ".NET-Timer";

    public object? Schedule(TimerCallback callback, object? state, TimeSpan dueTime) =>
        new Timer(callback, state, dueTime, Timeout.InfiniteTimeSpan);

    public int ScheduleThenCancel(TimerCallback callback, int count)
    {
        for (var i = 0; i < count; i++)
        {
            new Timer(callback, null, s_timeout, Timeout.InfiniteTimeSpan).Dispose();
        }

        // Disposing does not say whether the timer was cancelled in time. A callback that runs nevertheless ends the
        // process.
        return count;
    }

    public void Dispose()
    {
    }
}

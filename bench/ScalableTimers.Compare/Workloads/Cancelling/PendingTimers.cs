namespace ScalableTimers.Compare.Workloads.Cancelling;

/// <summary>.NET's timers that stay pending while something else is measured.</summary>
internal sealed class PendingTimers : IDisposable
{
    internal static readonly TimeSpan DueTime = TimeSpan.FromHours(1);

    private readonly ITimer[] _timers;

    private PendingTimers(ITimer[] timers) => _timers = timers;

    public void Dispose() => Parallel.ForEach(_timers, static timer => timer.Dispose());

    /// <summary>Adds them from all cores, because .NET has a queue for each.</summary>
    internal static PendingTimers Add(TimeProvider clock, int count)
    {
        var timers = new ITimer[count];
        Parallel.For(
            0, count, i => timers[i] = clock.CreateTimer(Timeouts.Ignore, null, DueTime, Timeout.InfiniteTimeSpan));
        return new PendingTimers(timers);
    }
}

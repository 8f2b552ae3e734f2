using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>After the end of the service a lease is longer than the clock's timer can wait. While that is set for the rest, the lease is returned and a short one begins: it passes in time.</summary>
internal sealed class LongLeaseReturnedOnTheClock : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(new ScalableTimerOptions { FireOnThreadPool = true, Resolution = TimeSpan.FromMilliseconds(10) }, new SlowClock(clock));
        TimeoutLease lease = default;
        run.Run(
            "tenants",
            prepare: () =>
            {
                service.Dispose();
                lease = service.RentTimeout(2 * DueTime.LongestTimer);
            },
            body: () =>
            {
                lease.Dispose();
                lease = service.RentTimeout(TimeSpan.FromMilliseconds(30));
            });
        run.Run("clock", () => clock.Advance(DueTime.LongestTimer));
        run.Check(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(40));
            Interleaving.Require(lease.HasTimedOut, "A timeout of 30 ms has not passed after 40 ms.");
        });
    }

    /// <summary>Somebody else may go on where a timer is about to be set.</summary>
    private sealed class SlowClock(ExplorerClock inner) : TimeProvider
    {
        public override long TimestampFrequency => inner.TimestampFrequency;

        public override long GetTimestamp() => inner.GetTimestamp();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            new SlowTimer(inner.CreateTimer(callback, state, dueTime, period));
    }

    private sealed class SlowTimer(ITimer inner) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            Interleaving.Point("Change");
            return inner.Change(dueTime, period);
        }

        public void Dispose() => inner.Dispose();

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}

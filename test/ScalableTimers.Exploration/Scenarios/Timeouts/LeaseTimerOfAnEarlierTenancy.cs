using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A timer that was set for an earlier tenancy rings and is set for the present one. The present one ends, and a
/// shorter one begins. That one passes in time.
/// </summary>
internal class LeaseTimerOfAnEarlierTenancy : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        TimeoutLease lease = default;
        run.Run(
            "tenants",
            prepare: () => lease = Prepare(service),
            body: () =>
            {
                lease.Dispose();
                lease = RentAnew(service);
            });
        run.Run("driver", () =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
        });
        run.Check(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
            Interleaving.Require(!lease.Token.IsCancellationRequested, "A timeout of 30 ms has passed after 20 ms.");
            clock.Advance(TimeSpan.FromMilliseconds(30));
            run.Pool.Drain();
            Interleaving.Require(lease.HasTimedOut, "A timeout of 30 ms has not passed after 50 ms.");
            service.Dispose();
        });
    }

    protected virtual TimeoutLease Prepare(TimerService service)
    {
        service.RentTimeout(TimeSpan.FromMilliseconds(10)).Dispose();
        return service.RentTimeout(TimeSpan.FromMilliseconds(100));
    }

    protected virtual TimeoutLease RentAnew(TimerService service) => service.RentTimeout(TimeSpan.FromMilliseconds(30));
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The same after the end of the service, where a lease has a timer of the clock's own: it is not left set to what an earlier tenancy wanted.</summary>
internal sealed class LeaseTimerOfAnEarlierTenancyOnTheClock : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(new ScalableTimerOptions { FireOnThreadPool = true, Resolution = TimeSpan.FromMilliseconds(10) }, clock);
        service.Dispose();
        TimeoutLease lease = default;
        run.Run(
            "tenants",
            prepare: () => lease = service.RentTimeout(TimeSpan.FromMilliseconds(10)),
            body: () =>
            {
                lease.Dispose();
                service.RentTimeout(TimeSpan.FromMilliseconds(100)).Dispose();
                lease = service.RentTimeout(TimeSpan.FromMilliseconds(30));
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
        });
    }
}

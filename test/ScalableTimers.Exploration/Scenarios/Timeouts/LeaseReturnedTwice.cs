using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Two threads return the same lease, and each rents another: they do not share a token.</summary>
internal sealed class LeaseReturnedTwice : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        TimeoutLease former = default;
        var next = new List<TimeoutLease>();
        run.Run(
            "returns", prepare: () => former = service.RentTimeout(TimeSpan.FromMilliseconds(10)), body: ReturnAndRent);
        run.Run("returns too", ReturnAndRent);
        run.Check(() =>
        {
            Interleaving.Require(next[0].Token != next[1].Token, "Two tenants have the same token.");
            clock.Advance(TimeSpan.FromMilliseconds(90));
            run.Pool.Drain();
            Interleaving.Require(
                !next.Exists(static lease => lease.Token.IsCancellationRequested),
                "A timeout of 100 ms has passed after 90 ms.");
            clock.Advance(TimeSpan.FromMilliseconds(20));
            run.Pool.Drain();
            Interleaving.Require(
                next.TrueForAll(static lease => lease.HasTimedOut), "A timeout of 100 ms has not passed after 110 ms.");
            service.Dispose();
        });

        void ReturnAndRent()
        {
            former.Dispose();
            next.Add(service.RentTimeout(TimeSpan.FromMilliseconds(100)));
        }
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A rented timeout passes while its tenant returns it and the next one rents it. The next token is not cancelled by
/// the former timeout.
/// </summary>
internal sealed class LeaseRentedBesideTimeout : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        TimeoutLease former = default, next = default;
        run.Run(
            "tenants",
            prepare: () => former = service.RentTimeout(TimeSpan.FromMilliseconds(10)),
            body: () =>
            {
                former.Dispose();
                next = service.RentTimeout(TimeSpan.FromMilliseconds(100));
            });
        run.Run("driver", () =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
        });
        run.Check(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(80));
            run.Pool.Drain();
            Interleaving.Require(!next.Token.IsCancellationRequested, "A timeout of 100 ms has passed after 90 ms.");
            clock.Advance(TimeSpan.FromMilliseconds(40));
            run.Pool.Drain();
            Interleaving.Require(
                next.Token.IsCancellationRequested, "A timeout of 100 ms has not passed after 130 ms.");
            service.Dispose();
        });
    }
}

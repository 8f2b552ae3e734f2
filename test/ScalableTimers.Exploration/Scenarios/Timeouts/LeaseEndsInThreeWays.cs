using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A rented timeout passes, its caller's token is cancelled, and its tenant returns it, all at once. The next tenant's
/// token is not cancelled.
/// </summary>
internal sealed class LeaseEndsInThreeWays : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var caller = new CancellationTokenSource();
        TimeoutLease former = default, next = default;
        run.Run(
            "tenants",
            prepare: () => former = service.RentTimeout(TimeSpan.FromMilliseconds(10), caller.Token),
            body: () =>
            {
                former.Dispose();
                Interleaving.Require(!former.HasTimedOut, "A lease that was returned has timed out.");
                next = service.RentTimeout(TimeSpan.FromMilliseconds(100));
            });
        run.Run("cancels", () => Interleaving.Cancel(caller));
        run.Run("driver", () =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
        });
        run.Check(() =>
        {
            former.Dispose();
            clock.Advance(TimeSpan.FromMilliseconds(80));
            run.Pool.Drain();
            Interleaving.Require(!next.Token.IsCancellationRequested, "A timeout of 100 ms has passed after 90 ms.");
            clock.Advance(TimeSpan.FromMilliseconds(40));
            run.Pool.Drain();
            Interleaving.Require(
                next is { Token.IsCancellationRequested: true, HasTimedOut: true },
                "A timeout of 100 ms has not passed after 130 ms.");
            service.Dispose();
        });
    }
}

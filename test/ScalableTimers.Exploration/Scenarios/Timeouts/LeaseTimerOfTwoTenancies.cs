using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A timeout's timer rings early in a tenancy, and again, on the same thread, in the next one: that one passes at its
/// own time.
/// </summary>
internal sealed class LeaseTimerOfTwoTenancies : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        TimeoutLease lease = default;
        bool hasRung = false, isNext = false;
        run.Run(
            "tenants",
            prepare: () =>
            {
                service.RentTimeout(TimeSpan.FromMilliseconds(10)).Dispose();
                lease = service.RentTimeout(TimeSpan.FromMilliseconds(30));
            },
            body: () =>
            {
                run.WaitUntil(() => hasRung, "first ring");
                lease.Dispose();
                lease = service.RentTimeout(TimeSpan.FromMilliseconds(100));
                isNext = true;
            });
        run.Run("driver", () =>
        {
            Pass(20);
            hasRung = true;
            run.WaitUntil(() => isNext, "next tenancy");
            Pass(30);
            Interleaving.Require(!lease.Token.IsCancellationRequested, "A timeout of 100 ms has passed after 30 ms.");
        });
        run.Check(() =>
        {
            Pass(100);
            Interleaving.Require(lease.HasTimedOut, "A timeout of 100 ms has not passed after 130 ms.");
            service.Dispose();
        });

        void Pass(int milliseconds)
        {
            clock.Advance(TimeSpan.FromMilliseconds(milliseconds));
            run.Pool.Drain();
        }
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A lease is rented and another is returned while the service is disposed. No timer of an idle lease stays set, and
/// the rented lease passes on time.
/// </summary>
internal sealed class LeaseReturnedBesideDispose : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        TimeoutLease former = default, next = default;
        run.Run(
            "rents and returns",
            prepare: () =>
            {
                former = service.RentTimeout(TimeSpan.FromMilliseconds(50));
                service.RentTimeout(TimeSpan.FromMilliseconds(50)).Dispose();
            },
            body: () =>
            {
                next = service.RentTimeout(TimeSpan.FromMilliseconds(30));
                former.Dispose();
            });
        run.Run("disposes", service.Dispose);
        run.Check(() =>
        {
            Interleaving.Require(clock.ArmedTimers == 1, $"{clock.ArmedTimers} timers are set for one lease.");
            clock.Advance(TimeSpan.FromMilliseconds(30));
            run.Pool.Drain();
            Interleaving.Require(next.HasTimedOut, "A timeout of 30 ms has not passed after 30 ms.");
            Interleaving.Require(clock.ArmedTimers == 0, "A timer is set for nobody.");
        });
    }
}

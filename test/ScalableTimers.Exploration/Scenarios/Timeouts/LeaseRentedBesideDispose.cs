using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A timeout that is shorter than the setting of its timer is rented while the service is disposed. It passes on time
/// all the same.
/// </summary>
internal sealed class LeaseRentedBesideDispose : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        TimeoutLease lease = default;
        run.Run(
            "rents",
            prepare: () => service.RentTimeout(TimeSpan.FromSeconds(10)).Dispose(),
            body: () => lease = service.RentTimeout(TimeSpan.FromMilliseconds(30)));
        run.Run("disposes", service.Dispose);
        run.Check(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(20));
            run.Pool.Drain();
            Interleaving.Require(!lease.Token.IsCancellationRequested, "A timeout of 30 ms has passed after 20 ms.");
            clock.Advance(TimeSpan.FromMilliseconds(30));
            run.Pool.Drain();
            Interleaving.Require(lease.HasTimedOut, "A timeout of 30 ms has not passed after 50 ms.");
        });
    }
}

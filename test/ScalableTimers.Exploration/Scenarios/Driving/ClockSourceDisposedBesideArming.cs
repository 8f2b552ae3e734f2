using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Driving;

/// <summary>
/// The service is disposed while a timer is scheduled that makes the driver set the clock nearer. The timer is on time
/// all the same, and fires once.
/// </summary>
internal sealed class ClockSourceDisposedBesideArming : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var fired = 0;
        run.Run(
            "owner",
            prepare: () =>
                service.TimeProvider.CreateTimer(
                    _ => fired++, null, TimeSpan.FromMilliseconds(50), Timeout.InfiniteTimeSpan),
            body: () =>
                service.TimeProvider.CreateTimer(
                    _ => fired++, null, TimeSpan.FromMilliseconds(20), Timeout.InfiniteTimeSpan));
        run.Run("disposes", service.Dispose);
        run.Check(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(20));
            run.Pool.Drain();
            Interleaving.Require(fired == 1, $"{fired} callbacks have run at 20 ms.");
            clock.Advance(TimeSpan.FromMilliseconds(30));
            run.Pool.Drain();
            Interleaving.Require(fired == 2, $"{fired} callbacks have run at 50 ms.");
        });
    }
}

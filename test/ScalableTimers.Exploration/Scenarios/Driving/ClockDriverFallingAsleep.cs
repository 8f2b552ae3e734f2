using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A thread schedules while the driver, woken by the clock's timer, looks at all collections and sets that timer again.
/// </summary>
internal sealed class ClockDriverFallingAsleep : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        long firedAt = -1;
        run.Run(
            "owner",
            prepare: () => service.Schedule(static _ => { }, null, TimeSpan.FromMilliseconds(10)),
            body: () => service.Schedule(_ => firedAt = clock.Now, null, TimeSpan.FromMilliseconds(20)));
        run.Run("driver", () => clock.Advance(TimeSpan.FromMilliseconds(10)));
        run.Check(() =>
        {
            // The clock stood at 0 or 10 ms when the timer was scheduled, and the timer is due 20 ms later.
            clock.Advance(TimeSpan.FromMilliseconds(30));
            run.Pool.Drain();
            Interleaving.Require(firedAt >= 0, "A callback due at 20 or 30 ms has not run at 40 ms.");
            service.Dispose();
        });
    }
}

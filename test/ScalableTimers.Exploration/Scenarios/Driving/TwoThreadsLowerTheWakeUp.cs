using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two threads schedule timers before the driver's wake-up. The clock is set to the nearer of the two.
/// </summary>
internal sealed class TwoThreadsLowerTheWakeUp : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var fired = 0;
        foreach (var dueTime in new[] { TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(50) })
        {
            run.Run(
                $"owner of {dueTime.TotalMilliseconds} ms",
                prepare: () => service.Schedule(static _ => { }, null, TimeSpan.FromSeconds(1)),
                body: () => service.Schedule(_ => fired++, null, dueTime));
        }

        run.Check(() =>
        {
            Interleaving.Require(
                clock.NextDueAt <= TimeSpan.FromMilliseconds(20).Ticks,
                $"The clock rings at {clock.NextDueAt / 10_000} ms; a timer is due at 20 ms.");
            clock.Advance(TimeSpan.FromMilliseconds(20));
            run.Pool.Drain();
            Interleaving.Require(fired == 1, $"{fired} callbacks have run at 20 ms.");
            clock.Advance(TimeSpan.FromMilliseconds(30));
            run.Pool.Drain();
            Interleaving.Require(fired == 2, $"{fired} callbacks have run at 50 ms.");
            service.Dispose();
        });
    }
}

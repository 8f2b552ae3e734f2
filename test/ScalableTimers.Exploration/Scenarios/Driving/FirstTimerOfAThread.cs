using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two threads schedule their first timers, each in a new collection, while the driver falls asleep.
/// </summary>
internal sealed class FirstTimerOfAThread : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var fired = 0;
        run.Run(
            "driver",
            prepare: () => service.Schedule(static _ => { }, null, TimeSpan.FromMilliseconds(10)),
            body: () => clock.Advance(TimeSpan.FromMilliseconds(10)));
        run.Run("one", () => service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(20)), kind: "schedules");
        run.Run("other", () => service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(20)), kind: "schedules");
        run.Check(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(30));
            run.Pool.Drain();
            Interleaving.Require(fired == 2, $"{fired} of two callbacks due at 30 ms at the latest have run at 40 ms.");
            Interleaving.Require(service.GetSnapshot() is { Collections: 3, Pending: 0 }, "The figures are wrong.");
            service.Dispose();
        });
    }
}

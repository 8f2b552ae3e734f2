using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A thread schedules while the driver looks at all collections and falls asleep: the driver must not sleep past the
/// new deadline.
/// </summary>
/// <remarks>
/// The driver is the service's own thread. Time passes only when no thread can run, so a timer that fires late shows
/// that the driver overslept.
/// </remarks>
internal sealed class DelayBesideADriverFallingAsleep : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var service = new TimerService(
            new ScalableTimerOptions { Driver = TimerDriverKind.Thread, Resolution = TimeSpan.FromMilliseconds(10) });
        run.Run(
            "owner",
            prepare: () => service.Schedule(static _ => { }, null, TimeSpan.FromMilliseconds(10)),
            body: () =>
            {
                long? firedAt = null;
                service.Schedule(_ => firedAt = run.Clock.Now, null, TimeSpan.FromMilliseconds(20));
                run.WaitUntil(() => firedAt is not null, "callback");
                Interleaving.Require(
                    firedAt <= TimeSpan.FromMilliseconds(30).Ticks,
                    $"A callback due at 20 ms has run at {firedAt / 10_000} ms.");
            });
        run.PoolThreads(1);
    }
}

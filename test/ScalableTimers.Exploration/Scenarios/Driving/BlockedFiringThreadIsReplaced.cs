using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A callback blocks the firing thread. The other thread takes over, and later timers are on time.
/// </summary>
internal sealed class BlockedFiringThreadIsReplaced : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var service = new TimerService(
            new ScalableTimerOptions
            {
                Driver = TimerDriverKind.Thread,
                Firing = FiringMode.DriverThread,
                Resolution = TimeSpan.FromMilliseconds(10),
            });
        long firedAt = -1;
        run.Run(
            "owner",
            prepare: () =>
                service.Schedule(
                    _ => run.WaitUntil(() => firedAt >= 0, "the other callback"), null, TimeSpan.FromMilliseconds(10)),
            body: () =>
            {
                service.Schedule(_ => firedAt = run.Clock.Now, null, TimeSpan.FromMilliseconds(20));
                run.WaitUntil(() => firedAt >= 0, "callback");
                Interleaving.Require(
                    firedAt <= TimeSpan.FromMilliseconds(30 + 60).Ticks,
                    $"A callback due at 20 ms has run at {firedAt / 10_000} ms, more than five resolutions late.");
            });
        run.PoolThreads(1);
    }
}

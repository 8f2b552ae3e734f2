using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The driver's thread falls asleep for a long time while a nearer timer is scheduled. Only the scheduler's signal can
/// wake it in time.
/// </summary>
internal class NearerTimerBesideASleepingThread : Scenario
{
    protected virtual bool FiresHere => false;

    internal override void Arrange(Interleaving run)
    {
        var service = new TimerService(new ScalableTimerOptions
        {
            Driver = TimerDriverKind.Thread,
            Firing = FiresHere ? FiringMode.DriverThread : FiringMode.Auto,
            Resolution = TimeSpan.FromMilliseconds(10),
        });
        run.Run(
            "owner",
            prepare: () => service.Schedule(static _ => { }, null, TimeSpan.FromSeconds(10)),
            body: () =>
            {
                long? firedAt = null;
                var begunAt = run.Clock.Now;
                service.Schedule(_ => firedAt = run.Clock.Now, null, TimeSpan.FromMilliseconds(20));
                run.WaitUntil(() => firedAt is not null, "callback");
                var took = TimeSpan.FromTicks(firedAt!.Value - begunAt);
                Interleaving.Require(
                    took <= TimeSpan.FromMilliseconds(30),
                    $"A callback of 20 ms has run after {took.TotalMilliseconds} ms.");
            });
        run.PoolThreads(1);
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A callback blocks the firing thread until another thread drives, and then schedules. The thread that drives now is
/// asleep, and is woken for the new timer.
/// </summary>
internal sealed class CallbackOfAReplacedThreadSchedules : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var service = new TimerService(
            new ScalableTimerOptions
            {
                Driver = TimerDriverKind.Thread,
                Firing = FiringMode.DriverThread,
                Resolution = TimeSpan.FromMilliseconds(10),
            });
        var isReplaced = false;
        long? firedAt = null;
        var begunAt = 0L;
        run.Run(
            "owner",
            prepare: () => service.Schedule(Block, null, TimeSpan.FromMilliseconds(10)),
            body: () =>
            {
                service.Schedule(_ => isReplaced = true, null, TimeSpan.FromMilliseconds(20));
                service.Schedule(static _ => { }, null, TimeSpan.FromSeconds(10));
                run.WaitUntil(() => firedAt is not null, "callback");
                var took = TimeSpan.FromTicks(firedAt!.Value - begunAt);
                Interleaving.Require(
                    took <= TimeSpan.FromMilliseconds(30),
                    $"A callback of 20 ms has run after {took.TotalMilliseconds} ms.");
            });
        run.PoolThreads(1);

        void Block(object? state)
        {
            run.WaitUntil(() => isReplaced, "the other callback");
            begunAt = run.Clock.Now;
            service.Schedule(_ => firedAt = run.Clock.Now, null, TimeSpan.FromMilliseconds(20));
        }
    }
}

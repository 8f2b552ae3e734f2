using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>A callback blocks the leader until another thread leads, and then schedules: the one that leads now, and sleeps, is woken for it.</summary>
internal sealed class RelievedCallbackSchedules : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var service = new TimerService(new ScalableTimerOptions { Driver = TimerDriverKind.Thread, FireOnDriverThread = true, Resolution = TimeSpan.FromMilliseconds(10) });
        var isRelieved = false;
        long? firedAt = null;
        var begunAt = 0L;
        run.Run(
            "owner",
            prepare: () => service.Schedule(Block, null, TimeSpan.FromMilliseconds(10)),
            body: () =>
            {
                service.Schedule(_ => isRelieved = true, null, TimeSpan.FromMilliseconds(20));
                service.Schedule(static _ => { }, null, TimeSpan.FromSeconds(10));
                run.WaitUntil(() => firedAt is not null, "callback");
                var took = TimeSpan.FromTicks(firedAt!.Value - begunAt);
                Interleaving.Require(took <= TimeSpan.FromMilliseconds(30), $"A callback of 20 ms has run after {took.TotalMilliseconds} ms.");
            });
        run.PoolThreads(1);

        void Block(object? state)
        {
            run.WaitUntil(() => isRelieved, "the other callback");
            begunAt = run.Clock.Now;
            service.Schedule(_ => firedAt = run.Clock.Now, null, TimeSpan.FromMilliseconds(20));
        }
    }
}

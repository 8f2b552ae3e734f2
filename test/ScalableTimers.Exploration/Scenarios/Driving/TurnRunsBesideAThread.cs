using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The pool runs a turn that it has reported as refused, while the driver's thread is started. One of the two drives,
/// and the next timer is on time.
/// </summary>
internal sealed class TurnRunsBesideAThread : ThreadThatCannotBeStarted
{
    // The first start of the thread fails. Its turn follows, and then a second in which no start is tried.
    internal override void Arrange(Interleaving run)
    {
        var service = NewService(new ScarceThreads(failingStarts: 1, failingTurns: 1, queuesFailingTurns: true));
        run.Run("one", () => service.Schedule(static _ => { }, null, TimeSpan.FromSeconds(30)));
        run.Run("other", () =>
        {
            run.Clock.PassTo(TimeSpan.FromSeconds(2).Ticks);
            service.Schedule(static _ => { }, null, TimeSpan.FromSeconds(20));
            run.WaitUntil(() => run.HasEnded("one"), "the one that is refused");
            long? firedAt = null;
            var begunAt = run.Clock.Now;
            service.Schedule(_ => firedAt = run.Clock.Now, null, TimeSpan.FromMilliseconds(50));
            run.WaitUntil(() => firedAt is not null, "callback");
            var took = TimeSpan.FromTicks(firedAt!.Value - begunAt);
            Interleaving.Require(
                took <= TimeSpan.FromMilliseconds(60),
                $"A callback of 50 ms has run after {took.TotalMilliseconds} ms.");
        });
        run.PoolThreads(2);
    }
}

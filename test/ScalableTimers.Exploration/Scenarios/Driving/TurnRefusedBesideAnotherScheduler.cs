using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// One thread can neither start the driver nor queue a turn, while another thread relies on it. The other thread's next
/// timer gets a driver.
/// </summary>
internal sealed class TurnRefusedBesideAnotherScheduler : ThreadThatCannotBeStarted
{
    internal override void Arrange(Interleaving run)
    {
        var service = NewService(new ScarceThreads(failingStarts: 1, failingTurns: 1));
        var fired = 0;
        run.Run("one", () => service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(30)));
        run.Run("other", () =>
        {
            service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(20));
            run.WaitUntil(() => run.HasEnded("one"), "the one that is refused");
            service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(10));
            run.WaitUntil(() => fired == 3, "all callbacks");
        });
        run.PoolThreads(2);
    }
}

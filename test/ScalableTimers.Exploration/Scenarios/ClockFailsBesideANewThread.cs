using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Setting the clock fails while a thread schedules its first timer. The thread's next timer sets the clock for all,
/// although it is due later.
/// </summary>
internal sealed class ClockFailsBesideANewThread : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var failing = new ClockThatFailsOnce(clock);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            failing);
        var fired = 0;
        run.Run(
            "fails",
            prepare: () =>
            {
                service.Schedule(static _ => { }, null, TimeSpan.FromMilliseconds(20));
                failing.Fails = true;
            },
            body: () =>
            {
                try
                {
                    service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(10));
                }
                catch (IOException)
                {
                }
            });
        run.Run("new", () =>
        {
            service.Schedule(static _ => { }, null, TimeSpan.FromMilliseconds(30));
            run.WaitUntil(() => run.HasEnded("fails"), "the failure");
            service.Schedule(static _ => { }, null, TimeSpan.FromMilliseconds(40));
        });
        run.Check(() =>
        {
            Interleaving.Require(!failing.Fails, "The clock has not failed.");
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
            Interleaving.Require(fired == 1, $"A callback due at 10 ms has run {fired} times at 10 ms.");
            service.Dispose();
        });
    }
}

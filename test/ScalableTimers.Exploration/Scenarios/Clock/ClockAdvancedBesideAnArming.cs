using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// When a thread has scheduled, another one advances the clock to when that timer is due, while a third one sets the
/// clock for something later: the timer has fired.
/// </summary>
internal sealed class ClockAdvancedBesideAnArming : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(new ScalableTimerOptions { Resolution = TimeSpan.FromMilliseconds(10) }, clock);
        bool isScheduled = false, hasFired = false;
        run.Run("schedules", () => service.Schedule(static _ => { }, null, TimeSpan.FromMilliseconds(100)));
        run.Run("schedules the nearer one", () =>
        {
            service.Schedule(_ => hasFired = true, null, TimeSpan.FromMilliseconds(50));
            isScheduled = true;
        });
        run.Run("advances", () =>
        {
            run.WaitUntil(() => isScheduled, "the nearer one");
            clock.Advance(TimeSpan.FromMilliseconds(50));
            Interleaving.Require(
                hasFired, "A callback of 50 ms has not run when the clock has been advanced by 50 ms.");
        });
        run.Check(service.Dispose);
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A thread schedules a timer and advances the clock to its due time, while another thread sets the clock for a later
/// timer. The first timer has fired.
/// </summary>
internal sealed class ClockAdvancedBesideAnArming : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(new ScalableTimerOptions { Resolution = TimeSpan.FromMilliseconds(10) }, clock);
        var hasFired = false;
        run.Run("schedules", () => service.Schedule(static _ => { }, null, TimeSpan.FromMilliseconds(100)));
        run.Run("schedules and advances", () =>
        {
            service.Schedule(_ => hasFired = true, null, TimeSpan.FromMilliseconds(50));
            clock.Advance(TimeSpan.FromMilliseconds(50));
            Interleaving.Require(
                hasFired, "A callback of 50 ms has not run when the clock has been advanced by 50 ms.");
        });
        run.Check(service.Dispose);
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two threads schedule, and the first attempt to set the clock fails. The next timer of either thread sets it for all.
/// </summary>
internal sealed class ClockFailsBesideASchedule : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var failing = new ClockThatFailsOnce(clock);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            failing);
        var fired = new int[2];
        var failures = 0;
        foreach (var number in new[] { 0, 1 })
        {
            run.Run(
                $"owner {number}",
                prepare: () =>
                {
                    service.Schedule(static _ => { }, null, TimeSpan.FromHours(1));
                    failing.Fails = number == 1;
                },
                body: () =>
                {
                    try
                    {
                        service.Schedule(_ => fired[number]++, null, TimeSpan.FromMilliseconds(10 + (10 * number)));
                    }
                    catch (IOException)
                    {
                        failures++;
                        service.Schedule(static _ => { }, null, TimeSpan.FromHours(2));
                    }
                });
        }

        run.Check(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(20));
            run.Pool.Drain();
            Interleaving.Require(failures == 1, $"{failures} calls have failed, not one.");
            Interleaving.Require(
                fired is [1, 1], $"Timers due at 10 and 20 ms have fired {fired[0]} and {fired[1]} times at 20 ms.");
            service.Dispose();
        });
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two scheduling threads take out overdue timers, one later than the other. The longer lag is kept.
/// </summary>
internal sealed class TwoTakeOutWhatIsLate : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        foreach (var milliseconds in new[] { 10, 20 })
        {
            run.Run(
                $"owner of a timer of {milliseconds} ms",
                prepare: () => service.Schedule(static _ => { }, null, TimeSpan.FromMilliseconds(milliseconds)),
                body: () => service.Driver.RelieveIfStarved(service.CurrentCollection(), clock.Now));
        }

        run.Daemon("nobody", static () => { }, prepare: () => clock.PassTo(TimeSpan.FromMilliseconds(100).Ticks));
        run.Check(() =>
        {
            var longest = service.GetSnapshot().LongestDriverLag;
            Interleaving.Require(
                longest == TimeSpan.FromMilliseconds(90),
                $"The longest lag is {longest.TotalMilliseconds} ms, in place of 90.");
            run.Pool.Drain();
            service.Dispose();
        });
    }
}

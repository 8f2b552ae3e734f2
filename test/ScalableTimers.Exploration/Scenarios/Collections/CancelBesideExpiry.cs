using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// A callback expires while another thread cancels it and its owner schedules the next: each runs once or is cancelled.
/// </summary>
internal sealed class CancelBesideExpiry : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        int first = 0, second = 0;
        var isCancelled = false;
        ScheduledTimer timer = default;
        run.Run(
            "owner",
            prepare: () => timer = service.Schedule(_ => first++, null, TimeSpan.FromMilliseconds(10)),
            body: () => service.Schedule(_ => second++, null, TimeSpan.FromMilliseconds(10)));
        run.Run("cancels", () => isCancelled = timer.Cancel());
        run.Run("driver", () => clock.Advance(TimeSpan.FromMilliseconds(10)));
        run.Check(() =>
        {
            Interleaving.Require(!timer.Cancel(), "A timer that has fired or been cancelled was cancelled again.");
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
            Interleaving.Require(
                first == (isCancelled ? 0 : 1),
                $"The first callback has run {first} times, and was cancelled: {isCancelled}.");
            Interleaving.Require(second == 1, $"The second callback has run {second} times.");
            Interleaving.Require(service.GetSnapshot().Pending == 0, "Timers are pending after all have ended.");
            service.Dispose();
        });
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Another thread cancels while the owner schedules. The entry is used again or not. The new timer is neither lost nor
/// cancelled.
/// </summary>
internal sealed class RemoteCancelBesideReuse : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        int old = 0, next = 0;
        ScheduledTimer timer = default;
        run.Run(
            "owner",
            prepare: () => timer = service.Schedule(_ => old++, null, TimeSpan.FromMilliseconds(20)),
            body: () =>
            {
                service.Schedule(_ => next++, null, TimeSpan.FromMilliseconds(10));
                service.Schedule(_ => next++, null, TimeSpan.FromMilliseconds(30));
            });
        run.Run("cancels", () =>
        {
            Interleaving.Require(timer.Cancel(), "A pending timer was not cancelled.");
            Interleaving.Require(!timer.Cancel(), "A timer was cancelled twice.");
        });
        run.Check(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(30));
            run.Pool.Drain();
            Interleaving.Require(
                old == 0 && next == 2, $"The cancelled callback has run {old} times, the other two {next} times.");
            Interleaving.Require(
                service.GetSnapshot() is { Pending: 0, Cancelled: 1, Fired: 2 }, "The figures are wrong.");
            service.Dispose();
        });
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A delay is linked at a place before its deadline, and the driver moves it. Meanwhile the owner cancels it and begins
/// a shorter one with the same entry, which must not be moved past its own deadline.
/// </summary>
internal sealed class DelayMovedOnPastItsNextLife : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var longer = new CancellationTokenSource();
        ValueTask<bool> last = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                // The entry's place is at 50 ms, its deadline at 1 s.
                var first = new CancellationTokenSource();
                var delay = service.TryDelay(TimeSpan.FromMilliseconds(50), first.Token);
                first.Cancel();
                Interleaving.Require(Outcome.Of(delay) == false, "A cancelled delay has not ended.");
                last = service.TryDelay(TimeSpan.FromSeconds(1), longer.Token);
            },
            body: () =>
            {
                Interleaving.Cancel(longer);
                Interleaving.Require(Outcome.Of(last) == false, "A cancelled delay has not ended.");
                last = service.TryDelay(TimeSpan.FromMilliseconds(100));
            });
        run.Run("driver", () => clock.Advance(TimeSpan.FromMilliseconds(50)));
        run.Check(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(110));
            run.Pool.Drain();
            Interleaving.Require(Outcome.Of(last) == true, "A delay of 100 ms has not ended after 110 ms.");
            service.Dispose();
        });
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A delay expires while its token is cancelled. In both cases its reader begins the next delay with the same entry,
/// which the old token must not end.
/// </summary>
internal sealed class DelayCancelledBesideExpiry : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var source = new CancellationTokenSource();
        ValueTask<bool> delay = default;
        run.Run(
            "owner",
            prepare: () => delay = service.TryDelay(TimeSpan.FromMilliseconds(10), source.Token),
            body: () =>
            {
                run.WaitUntil(() => delay.IsCompleted, "end of the delay");
                _ = Outcome.Of(delay);
                delay = service.TryDelay(TimeSpan.FromMilliseconds(50));
            });
        run.Run("cancels", () => Interleaving.Cancel(source));
        run.Run("driver", () =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
        });
        run.Check(() =>
        {
            Interleaving.Require(!delay.IsCompleted, "A delay without a token has ended at once.");
            clock.Advance(TimeSpan.FromMilliseconds(60));
            run.Pool.Drain();
            Interleaving.Require(Outcome.Of(delay) == true, "A delay of 50 ms has not ended after 60 ms.");
            Interleaving.Require(service.GetSnapshot().Pending == 0, "Timers are pending after all have ended.");
            service.Dispose();
        });
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The last round finds no regular timeout and stops, while another timeout becomes regular. Its tokens are created in
/// advance.
/// </summary>
internal sealed class TimeoutBecomesRegularBesideTheLastRound : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions
            {
                Firing = FiringMode.ThreadPool,
                Resolution = TimeSpan.FromMilliseconds(10),
                TimeoutTokenBucket = TimeSpan.FromMilliseconds(100),
                TimeoutTokenReuseWindow = TimeSpan.FromMilliseconds(400),
            },
            clock);
        var (former, next) = (TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(250));
        run.Run(
            "asks",
            prepare: () =>
            {
                // The first timeout is regular from 60 ms on. Rounds are at 60, 450 and 850 ms. At 850 ms it is
                // forgotten. The second timeout is used once before that.
                _ = service.GetTimeoutToken(former);
                AdvanceTo(60);
                _ = service.GetTimeoutToken(former);
                AdvanceTo(600);
                _ = service.GetTimeoutToken(next);
                AdvanceTo(840);
            },
            body: () => _ = service.GetTimeoutToken(next));
        run.Run("driver", () => AdvanceTo(850));
        run.Check(() =>
        {
            AdvanceTo(890);

            // Besides the used tokens there are those of the round.
            Interleaving.Require(
                service.GetSnapshot().TimeoutTokens >= 5,
                $"There are {service.GetSnapshot().TimeoutTokens} sources; five are to be made ahead.");
            service.Dispose();
        });

        void AdvanceTo(int milliseconds)
        {
            // Each round runs exactly when it is due, because the next one is counted from then.
            while (clock.Elapsed < TimeSpan.FromMilliseconds(milliseconds))
            {
                clock.Advance(TimeSpan.FromMilliseconds(10));
                run.Pool.Drain();
            }
        }
    }
}

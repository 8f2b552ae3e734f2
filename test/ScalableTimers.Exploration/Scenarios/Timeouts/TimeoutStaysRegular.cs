using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A thread makes the rounds, and another one uses a regular timeout again before it would be forgotten: its sources
/// are made ahead for as long again.
/// </summary>
internal sealed class TimeoutStaysRegular : Scenario
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
                TimeoutTokenReuseWindow = TimeSpan.FromSeconds(1),
            },
            clock);
        var timeout = TimeSpan.FromSeconds(5);
        bool haveBegun = false, isUsedAgain = false;
        run.Run(
            "driver",
            prepare: () =>
            {
                service.GetTimeoutToken(timeout);
                Pass(1);
                service.GetTimeoutToken(timeout);
            },
            body: () =>
            {
                Pass(7);
                haveBegun = true;
                run.WaitUntil(() => isUsedAgain, "use");
                Pass(8);
            });
        run.Run("user", () =>
        {
            run.WaitUntil(() => haveBegun, "rounds");
            service.GetTimeoutToken(timeout);
            isUsedAgain = true;
        });
        run.Check(() =>
        {
            Interleaving.Require(
                service.GetSnapshot().TimeoutTokens == 19,
                $"There are {service.GetSnapshot().TimeoutTokens} sources.");
            service.Dispose();
        });

        void Pass(int buckets)
        {
            for (var i = 0; i < buckets; i++)
            {
                clock.Advance(TimeSpan.FromMilliseconds(100));
                run.Pool.Drain();
            }
        }
    }
}

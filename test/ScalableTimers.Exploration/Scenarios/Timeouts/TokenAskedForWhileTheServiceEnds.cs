using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A token is requested for the second time while the service is disposed. It ends in time all the same, and no more
/// tokens are created in advance.
/// </summary>
internal sealed class TokenAskedForWhileTheServiceEnds : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions
            {
                Firing = FiringMode.ThreadPool,
                Resolution = TimeSpan.FromMilliseconds(10),
                TimeoutTokenBucket = TimeSpan.FromMilliseconds(100),
            },
            clock);
        CancellationToken first = default, second = default;
        run.Run(
            "asks",
            prepare: () =>
            {
                // A timeout that is used in two buckets is regular, so its next tokens are created in advance.
                first = service.GetTimeoutToken(TimeSpan.FromMilliseconds(50));
                clock.Advance(TimeSpan.FromMilliseconds(60));
            },
            body: () => second = service.GetTimeoutToken(TimeSpan.FromMilliseconds(50)));
        run.Run("disposes", service.Dispose);
        run.Run("driver", () =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
        });
        run.Check(() =>
        {
            Interleaving.Require(!second.IsCancellationRequested, "A token of 50 ms has ended after 10 ms.");
            Interleaving.Require(
                service.GetSnapshot().TimeoutTokens == 2,
                $"There are {service.GetSnapshot().TimeoutTokens} sources; two are used.");
            clock.Advance(TimeSpan.FromMilliseconds(140));
            run.Pool.Drain();
            Interleaving.Require(
                first.IsCancellationRequested && second.IsCancellationRequested, "A token has not ended.");
            Interleaving.Require(service.GetSnapshot().TimeoutTokens == 0, "Sources are left.");
            Interleaving.Require(clock.NextDueAt == long.MaxValue, "Something is left that the clock has to ring for.");
        });
    }
}

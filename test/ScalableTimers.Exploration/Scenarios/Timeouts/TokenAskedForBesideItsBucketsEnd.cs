using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two threads request a token while its bucket ends. Neither gets one that ends early, late or never, and no source is
/// left behind.
/// </summary>
internal sealed class TokenAskedForBesideItsBucketsEnd : Scenario
{
    private static readonly TimeSpan s_bucket = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(50);

    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions
            {
                Firing = FiringMode.ThreadPool,
                Resolution = TimeSpan.FromMilliseconds(10),
                TimeoutTokenBucket = s_bucket,
                TimeoutTokenReuseWindow = TimeSpan.Zero,
            },
            clock);
        var tokens = new List<CancellationToken>();
        foreach (var name in new[] { "asks", "asks too" })
        {
            run.Run(name, () =>
            {
                var askedAt = clock.Elapsed;
                var token = service.GetTimeoutToken(s_timeout);
                Interleaving.Require(
                    !token.IsCancellationRequested || clock.Elapsed >= askedAt + s_timeout, "A token has ended early.");
                tokens.Add(token);
            }, kind: "asks");
        }

        run.Run("driver", () =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(100));
            run.Pool.Drain();
        });
        run.Check(() =>
        {
            clock.Advance(s_timeout + s_bucket + TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
            Interleaving.Require(
                tokens.TrueForAll(static token => token.IsCancellationRequested), "A token has not ended.");
            var snapshot = service.GetSnapshot();
            Interleaving.Require(
                snapshot is { TimeoutTokens: 0, Pending: 0 },
                $"{snapshot.TimeoutTokens} sources are left, {snapshot.Pending} timers are pending.");
            service.Dispose();
        });
    }
}

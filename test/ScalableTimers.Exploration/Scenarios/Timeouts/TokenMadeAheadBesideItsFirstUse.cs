using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Timeouts;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A token is created in advance, requested, and dropped as unused, all at once. The caller that got it sees it end,
/// and no source is left behind.
/// </summary>
internal sealed class TokenMadeAheadBesideItsFirstUse : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var options = new ScalableTimerOptions
        {
            Firing = FiringMode.ThreadPool,
            Resolution = TimeSpan.FromMilliseconds(10),
            TimeoutTokenBucket = TimeSpan.FromMilliseconds(100),
        };
        var service = new TimerService(options, clock);
        var tokens = new TimeoutTokens(service, options, NullLogger.Instance);
        CancellationToken token = default;
        run.Run("makes", () => tokens.MakeAhead(index: 1));
        run.Run("asks", () => token = tokens.Get(TimeSpan.FromMilliseconds(50)));
        run.Run("ends", tokens.EndAhead);
        run.Check(() =>
        {
            Interleaving.Require(tokens.Count == 1, $"There are {tokens.Count} sources; one is used.");
            clock.Advance(TimeSpan.FromMilliseconds(110));
            run.Pool.Drain();
            Interleaving.Require(token.IsCancellationRequested, "The token has not ended.");
            Interleaving.Require(tokens.Count == 0 && service.GetSnapshot().Pending == 0, "Something is left.");
            service.Dispose();
        });
    }
}

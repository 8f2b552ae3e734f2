using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Timeouts;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A timeout becomes regular, so that rounds begin, while rounds are ended for good. Their timer does not remain.
/// </summary>
internal sealed class RoundsBeginBesideTheirEnd : Scenario
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
        var timeout = TimeSpan.FromMilliseconds(50);
        run.Run(
            "asks",
            prepare: () =>
            {
                _ = tokens.Get(timeout);
                clock.Advance(TimeSpan.FromMilliseconds(60));
            },
            body: () => _ = tokens.Get(timeout));
        run.Run("ends", tokens.EndAhead);
        run.Check(() =>
        {
            Interleaving.Require(tokens.Count == 2, $"There are {tokens.Count} sources; two are used.");
            Interleaving.Require(
                service.GetSnapshot().Pending == 2,
                $"{service.GetSnapshot().Pending} timers are pending; two tokens are used.");
            service.Dispose();
        });
    }
}

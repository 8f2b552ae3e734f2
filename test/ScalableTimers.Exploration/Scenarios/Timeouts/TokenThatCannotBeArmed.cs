using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Timeouts;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The timer of a token cannot be created while another thread requests the same token. One caller gets the exception,
/// and the other gets a token that ends.
/// </summary>
internal sealed class TokenThatCannotBeArmed : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var options = new ScalableTimerOptions
        {
            Firing = FiringMode.ThreadPool,
            Resolution = TimeSpan.FromMilliseconds(10),
            TimeoutTokenBucket = TimeSpan.FromMilliseconds(100),
            TimeoutTokenReuseWindow = TimeSpan.Zero,
        };
        var service = new TimerService(options, new ExhaustedClock(clock));
        service.Dispose();
        var tokens = new TimeoutTokens(service, options, NullLogger.Instance);
        var given = new List<CancellationToken>();
        var failures = 0;
        foreach (var name in new[] { "asks", "asks too" })
        {
            run.Run(name, () =>
            {
                try
                {
                    given.Add(tokens.Get(TimeSpan.FromMilliseconds(50)));
                }
                catch (InsufficientMemoryException)
                {
                    failures++;
                }
            }, kind: "asks");
        }

        run.Check(() =>
        {
            Interleaving.Require(
                failures == 1 && given.Count == 1,
                $"{failures} calls have failed and {given.Count} tokens were given.");
            clock.Advance(TimeSpan.FromMilliseconds(110));
            Interleaving.Require(given[0].IsCancellationRequested, "A token has not ended.");
            Interleaving.Require(tokens.Count == 0, $"{tokens.Count} sources are left.");
        });
    }

    /// <summary>Fails for the second timer. The first is the service's alarm.</summary>
    private sealed class ExhaustedClock(ExplorerClock clock) : TimeProvider
    {
        private int _timers;

        public override long TimestampFrequency => clock.TimestampFrequency;

        public override long GetTimestamp() => clock.GetTimestamp();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            Interleaving.Point("CreateTimer");
            return ++_timers == 2
                ? throw new InsufficientMemoryException("No timer, says the scenario.")
                : clock.CreateTimer(callback, state, dueTime, period);
        }
    }
}

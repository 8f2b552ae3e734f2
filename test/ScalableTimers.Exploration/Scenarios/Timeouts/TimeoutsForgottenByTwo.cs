using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Timeouts;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The number of remembered timeouts is at its limit, and two threads with other timeouts remove those that were not
/// used lately. Each is subtracted once.
/// </summary>
internal sealed class TimeoutsForgottenByTwo : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool }, new ExplorerClock(run));
        var ahead = new TokensAhead(null!, service, new ScalableTimerOptions());
        run.Run(
            "one",
            prepare: () =>
            {
                ahead.Remember(timeout: 1, index: 1);
                ahead.Remember(timeout: 2, index: 2);
                Count(ahead) += TokensAhead.Capacity;
            },
            body: () => ahead.Remember(timeout: 3, index: 100));
        run.Run("other", () => ahead.Remember(timeout: 4, index: 100));
        run.Check(() =>
        {
            var remembered = Recent(ahead).Count;
            Interleaving.Require(
                Count(ahead) == TokensAhead.Capacity + remembered,
                $"{Count(ahead) - TokensAhead.Capacity} timeouts are counted, of {remembered}.");
            service.Dispose();
        });
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_count")]
    private static extern ref int Count(TokensAhead ahead);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_recent")]
    private static extern ref ConcurrentDictionary<long, RecentTimeout> Recent(TokensAhead ahead);
}

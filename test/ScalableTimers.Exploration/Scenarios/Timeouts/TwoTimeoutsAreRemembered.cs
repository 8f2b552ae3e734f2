using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Timeouts;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two threads request tokens of timeouts that were not used before. One timeout is the same for both. The count is the
/// number of remembered timeouts.
/// </summary>
internal sealed class TwoTimeoutsAreRemembered : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool }, new ExplorerClock(run));
        var ahead = new TokensAhead(null!, service, new ScalableTimerOptions());
        run.Run("one", () => Remember(2, 3));
        run.Run("other", () => Remember(2, 4));
        run.Check(() =>
        {
            var remembered = Recent(ahead).Count;
            Interleaving.Require(
                remembered == 3 && Count(ahead) == 3,
                $"{remembered} timeouts are remembered, and {Count(ahead)} are counted, of three.");
            service.Dispose();
        });

        void Remember(params long[] timeouts)
        {
            foreach (var timeout in timeouts)
            {
                ahead.Remember(timeout, timeout + 1);
            }
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_count")]
    private static extern ref int Count(TokensAhead ahead);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_recent")]
    private static extern ref ConcurrentDictionary<long, RecentTimeout> Recent(TokensAhead ahead);
}

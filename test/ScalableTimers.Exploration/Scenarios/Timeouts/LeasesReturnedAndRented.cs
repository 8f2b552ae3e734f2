using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Timeouts;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Two threads put timeouts on one stack and take some. None is lost, and none is taken twice.</summary>
internal sealed class LeasesReturnedAndRented : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var owner = new TimeoutLeases(service, NullLogger.Instance);
        var stack = new LeaseStack();
        var all = new[]
        {
            new LeasedTimeout(owner, service),
            new LeasedTimeout(owner, service),
            new LeasedTimeout(owner, service),
        };
        var taken = new List<LeasedTimeout?>();
        run.Run("one", prepare: () => stack.TryPush(all[2]), body: () => PushAndPop(all[0]));
        run.Run("other", () => PushAndPop(all[1]));
        run.Check(() =>
        {
            for (var i = 0; i < all.Length - 2; i++)
            {
                taken.Add(stack.TryPop());
            }

            Interleaving.Require(
                taken.Distinct().Count() == all.Length && !taken.Contains(null), "A timeout was lost, or taken twice.");
            Interleaving.Require(stack.TryPop() is null, "There are more timeouts than were put there.");
            service.Dispose();
        });

        void PushAndPop(LeasedTimeout leased)
        {
            stack.TryPush(leased);
            taken.Add(stack.TryPop());
        }
    }
}

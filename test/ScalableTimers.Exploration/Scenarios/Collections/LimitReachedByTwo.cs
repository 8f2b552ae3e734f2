using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Two threads schedule until the service refuses, while a third cancels. No timer is refused while a place is free,
/// and the limit is exceeded by one at most, because each thread counts and then schedules.
/// </summary>
internal sealed class LimitReachedByTwo : Scenario
{
    private const int Limit = 2;

    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, MaxPending = Limit }, clock);
        ScheduledTimer first = default;
        int scheduled = 0, refused = 0;
        run.Run(
            "owner",
            prepare: () => first = service.Schedule(static _ => { }, null, Stage.Ticks(100)),
            body: () => Schedule(2));
        run.Run("other owner", () => Schedule(2));
        run.Run("cancels", () => first.Cancel());
        run.Check(() =>
        {
            var seen = service.GetSnapshot();
            Interleaving.Require(
                seen.Pending is >= 1 and <= Limit + 1, $"{seen.Pending} timers are pending with a limit of 2.");
            Interleaving.Require(
                seen.Refused == refused && seen.Pending == scheduled && scheduled + refused == 4,
                $"{scheduled} were scheduled and {refused} refused: {seen}.");
            service.Dispose();
        });

        void Schedule(int count)
        {
            for (var i = 0; i < count; i++)
            {
                try
                {
                    service.Schedule(static _ => { }, null, Stage.Ticks(200));
                    scheduled++;
                }
                catch (TooManyTimersException error)
                {
                    Interleaving.Require(error.Pending >= Limit, $"It refuses with {error.Pending} pending.");
                    refused++;
                }
            }
        }
    }
}

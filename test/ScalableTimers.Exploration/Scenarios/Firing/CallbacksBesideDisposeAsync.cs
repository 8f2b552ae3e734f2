using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A thread disposes the service and waits for it, while the driver takes timers out. No callback begins or runs after
/// the wait.
/// </summary>
internal sealed class CallbacksBesideDisposeAsync : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var isOver = false;
        int running = 0, fired = 0;
        run.Run(
            "driver",
            prepare: () =>
            {
                for (var i = 0; i < 2; i++)
                {
                    service.Schedule(
                        _ =>
                        {
                            Interleaving.Require(!isOver, "A callback has begun after the wait for all.");
                            running++;
                            Interleaving.Point("in the callback");
                            running--;
                            fired++;
                        },
                        null,
                        TimeSpan.FromMilliseconds(10));
                }
            },
            body: () => clock.Advance(TimeSpan.FromMilliseconds(10)));
        run.Run("disposes", () =>
        {
            var end = service.DisposeAsync().AsTask();
            run.WaitUntil(() => end.IsCompleted, "end of the service");
            isOver = true;
            var snapshot = service.GetSnapshot();
            Interleaving.Require(running == 0, "A callback runs after the wait for all.");
            Interleaving.Require(
                snapshot.Fired == fired && snapshot.Fired + snapshot.Dropped == 2,
                $"{snapshot.Fired} are counted as fired, {snapshot.Dropped} as dropped; {fired} have fired.");
        });
        run.PoolThreads(1);
    }
}

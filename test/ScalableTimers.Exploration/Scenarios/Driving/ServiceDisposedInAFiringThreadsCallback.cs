using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A callback on the firing thread disposes the service and waits for it. Other due timers run before that or never,
/// and both threads end.
/// </summary>
internal sealed class ServiceDisposedInAFiringThreadsCallback : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var service = new TimerService(
            new ScalableTimerOptions
            {
                Driver = TimerDriverKind.Thread,
                Firing = FiringMode.DriverThread,
                Resolution = TimeSpan.FromMilliseconds(10),
            });
        bool isOver = false, isRunning = false;
        run.Run(
            "owner",
            prepare: () =>
            {
                service.Schedule(
                    _ =>
                    {
                        var end = service.DisposeAsync().AsTask();
                        run.WaitUntil(() => end.IsCompleted, "end of the service");
                        isOver = true;
                        Interleaving.Require(!isRunning, "A callback runs after the wait for all.");
                    },
                    null,
                    TimeSpan.FromMilliseconds(10));
                service.Schedule(
                    _ =>
                    {
                        Interleaving.Require(!isOver, "A callback has begun after the wait for all.");
                        isRunning = true;
                        Interleaving.Point("in the callback");
                        isRunning = false;
                    },
                    null,
                    TimeSpan.FromMilliseconds(10));
            },
            body: () => run.WaitUntil(() => isOver && run.HasEnded("driver"), "end of the driver's threads"));
        run.PoolThreads(1);
    }
}

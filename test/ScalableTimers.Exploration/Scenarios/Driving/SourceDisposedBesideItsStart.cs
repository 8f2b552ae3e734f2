using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The service is disposed while its first timer starts the driver's thread. No thread is left, and the timer fires by
/// the clock.
/// </summary>
internal class SourceDisposedBesideItsStart : Scenario
{
    protected virtual bool FiresHere => false;

    internal override void Arrange(Interleaving run)
    {
        var service = new TimerService(new ScalableTimerOptions
        {
            Driver = TimerDriverKind.Thread,
            Firing = FiresHere ? FiringMode.DriverThread : FiringMode.Auto,
            Resolution = TimeSpan.FromMilliseconds(10),
        });
        var hasFired = false;
        var isDisposed = false;
        var isScheduled = false;
        ITimer? timer = null;
        run.Run("owner", () =>
        {
            timer = service.TimeProvider.CreateTimer(
                _ => hasFired = true, null, TimeSpan.FromMilliseconds(10), Timeout.InfiniteTimeSpan);
            isScheduled = true;
        });
        run.Run("disposes", () =>
        {
            service.Dispose();
            isDisposed = true;
            run.WaitUntil(() => isScheduled && run.HasEnded("driver"), "end of the driver's threads");
            run.WaitUntil(() => hasFired, "callback");
            Interleaving.Require(
                run.Clock.Elapsed <= TimeSpan.FromMilliseconds(20),
                $"A callback of 10 ms has run at {run.Clock.Elapsed.TotalMilliseconds} ms.");
            GC.KeepAlive(timer);
        });
        run.PoolThreads(1);
        run.Check(
            () =>
                Interleaving.Require(
                    isDisposed && service.GetSnapshot().Pending == 0,
                    "Timers are pending in a service that has ended."));
    }
}

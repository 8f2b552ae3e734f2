using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The service is disposed while its thread falls asleep: the thread ends.</summary>
internal sealed class DriverThreadDisposed : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var service = new TimerService(
            new ScalableTimerOptions { Driver = TimerDriverKind.Thread, Resolution = TimeSpan.FromMilliseconds(10) });
        run.Run(
            "owner",
            prepare: () => service.Schedule(static _ => { }, null, TimeSpan.FromHours(1)),
            body: () =>
            {
                service.Dispose();
                run.WaitUntil(() => run.HasEnded("driver"), "end of the driver's thread");
                Interleaving.Require(
                    run.Clock.Elapsed < TimeSpan.FromMilliseconds(20),
                    $"The driver's thread has ended at {run.Clock.Elapsed}.");
            });
    }
}

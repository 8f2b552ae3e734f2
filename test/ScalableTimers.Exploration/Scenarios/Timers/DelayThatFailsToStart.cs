using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;
using ScalableTimers.Timers;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// The clock fails while a delay starts, and the driver and a token end it meanwhile. Its observer is told of one end.
/// </summary>
internal sealed class DelayThatFailsToStart : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ClockThatFailsOnce(new ExplorerClock(run));
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = Stage.Ticks(1) }, clock);
        var scope = new CancellationTokenSource();
        var observer = new CountingObserver();
        run.Run("owner", () =>
        {
            clock.Fails = true;
            try
            {
                service.StartDelay(Stage.Ticks(1), DelayOptions.ReportCancellation, default, scope.Token, observer);
                Interleaving.Require(condition: false, "A delay has started whose clock has failed.");
            }
            catch (IOException)
            {
            }
        });
        run.Run("cancels", () => Interleaving.Cancel(scope));
        run.Check(() =>
        {
            Interleaving.Require(
                observer is { Begun: 1, Ended: 1 },
                $"The observer has heard of {observer.Begun} beginnings and {observer.Ended} ends.");
            service.Dispose();
            Interleaving.Require(observer.Ended == 1, $"The observer has heard of {observer.Ended} ends.");
            Interleaving.Require(service.GetSnapshot().Pending == 0, "Timers are pending after all have ended.");
        });
    }
}

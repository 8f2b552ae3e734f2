using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Two threads stop the service and dispose it. Each step is taken once, and no delay is pending when either thread has
/// finished it.
/// </summary>
internal sealed class TwoEndTheService : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var logger = new CountingLogger();
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = Stage.Ticks(1) }, clock, logger);
        ValueTask<bool> delay = default;
        run.Run("ends", prepare: () => delay = service.TryDelay(Stage.Ticks(5)), body: End, kind: "ends");
        run.Run("ends too", End, kind: "ends");
        run.Check(() =>
        {
            Interleaving.Require(logger.Count(10) == 1, $"The service was stopped {logger.Count(10)} times.");
            Interleaving.Require(logger.Count(11) == 1, $"The service was disposed {logger.Count(11)} times.");
            Interleaving.Require(
                service.GetSnapshot() is { Pending: 0, Cancelled: 1, Dropped: 0 }, "The figures are wrong.");
        });

        void End()
        {
            var stop = service.StopAsync();
            run.WaitUntil(() => stop.IsCompleted, "end of the stop");
            Interleaving.Require(delay.IsCompleted, "A delay is pending after the service has stopped.");
            service.Dispose();
        }
    }
}

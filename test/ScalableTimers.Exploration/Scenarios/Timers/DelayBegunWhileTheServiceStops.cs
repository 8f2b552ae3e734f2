using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// Stopping ends each delay, whether it began before, after or meanwhile, in a new entry or in one that is linked
/// already.
/// </summary>
internal class DelayBegunWhileTheServiceStops : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        ValueTask<bool> first = default, second = default;
        var source = new CancellationTokenSource();
        run.Run(
            "owner",
            prepare: () =>
            {
                first = service.TryDelay(TimeSpan.FromMilliseconds(50), source.Token);
                source.Cancel();
                Interleaving.Require(Outcome.Of(first) == false, "A cancelled delay has not ended.");
            },
            body: () =>
            {
                first = service.TryDelay(TimeSpan.FromSeconds(1));
                second = service.TryDelay(TimeSpan.FromSeconds(1));
            });
        run.Run("stops", () => service.StopAsync().GetAwaiter().GetResult());
        AddThreads(run, clock);
        run.Check(() =>
        {
            Interleaving.Require(
                Outcome.Of(first) == false, "A delay begun while the service stops is pending after it.");
            Interleaving.Require(
                Outcome.Of(second) == false, "A second delay begun while the service stops is pending after it.");
            var late = service.GetSnapshot();
            Interleaving.Require(late.Pending == 0, $"{late.Pending} timers are pending after all have ended.");
            service.Dispose();
        });
    }

    protected virtual void AddThreads(Interleaving run, ExplorerClock clock)
    {
    }
}

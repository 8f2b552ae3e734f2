using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Two rings come at once. One of the two threads serves both.</summary>
internal sealed class TwoServeAtOnce : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var fired = 0;
        run.Run(
            "ring",
            prepare: () =>
            {
                service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(10));
                clock.PassTo(TimeSpan.FromMilliseconds(10).Ticks);
            },
            body: service.Driver.Serve);
        run.Run("other ring", service.Driver.Serve);
        run.Check(() =>
        {
            run.Pool.Drain();
            Interleaving.Require(fired == 1, $"A callback that is due has run {fired} times.");
            service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(10));
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
            Interleaving.Require(fired == 2, "Nobody serves any more.");
            service.Dispose();
        });
    }
}

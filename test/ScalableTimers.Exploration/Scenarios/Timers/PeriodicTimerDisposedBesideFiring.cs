using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A periodic timer is disposed while it fires and is linked again. It does not fire later, and nothing stays pending.
/// </summary>
internal sealed class PeriodicTimerDisposedBesideFiring : Scenario
{
    // A callback that the pool thread has decided to run, but has not entered yet, runs after Dispose, as with every
    // timer of .NET.
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var firings = 0;
        ITimer? timer = null;
        run.Run(
            "owner",
            prepare: () => timer = service.CreateTimer(
                _ => firings++,
                null,
                TimeSpan.FromMilliseconds(10),
                TimeSpan.FromMilliseconds(10)),
            body: () => timer!.Dispose());
        run.Run("driver", () =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
        });
        run.Check(() =>
        {
            var before = firings;
            clock.Advance(TimeSpan.FromMilliseconds(20));
            run.Pool.Drain();
            Interleaving.Require(
                before <= 1 && firings == before,
                $"It has fired {before} times until it was disposed and {firings - before} times later.");
            var snapshot = service.GetSnapshot();
            Interleaving.Require(
                snapshot is { Pending: 0, Failed: 0 },
                $"{snapshot.Pending} pending, {snapshot.Failed} callbacks have failed.");
            service.Dispose();
        });
    }
}

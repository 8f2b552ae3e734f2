using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// A callback is scheduled while the service is disposed. The caller gets an exception, or the callback is dropped and
/// counted.
/// </summary>
internal sealed class ScheduleBesideDispose : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        int fired = 0, scheduled = 0;
        run.Run("owner", () =>
        {
            try
            {
                for (; scheduled < 2; scheduled++)
                {
                    service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(10));
                }
            }
            catch (ObjectDisposedException)
            {
            }
        });
        run.Run("disposes", service.Dispose);
        run.Check(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(20));
            run.Pool.Drain();
            var snapshot = service.GetSnapshot();
            Interleaving.Require(fired == 0, "A callback has run after its service was disposed.");
            Interleaving.Require(
                snapshot.Pending == 0 && snapshot.Dropped == scheduled,
                $"{snapshot.Pending} are pending and {snapshot.Dropped} dropped of {scheduled}.");
        });
    }
}

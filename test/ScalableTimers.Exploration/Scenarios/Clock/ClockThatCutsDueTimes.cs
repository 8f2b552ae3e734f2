using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The clock cuts due times to whole milliseconds and so rings early. The driver then waits for the rest, rounded up,
/// and the clock rings once more.
/// </summary>
internal sealed class ClockThatCutsDueTimes : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var cutting = new CuttingClock(clock);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            cutting);
        var fired = 0;
        clock.PassTo(TimeSpan.FromMilliseconds(0.6).Ticks);
        run.Run("owner", () => service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(10)));
        run.Run("driver", () =>
        {
            run.WaitUntil(() => run.HasEnded("owner"), "the timer");
            clock.Advance(TimeSpan.FromMilliseconds(30));
            run.Pool.Drain();
            Interleaving.Require(fired == 1, "A callback of 10 ms has not run after 30 ms.");
            Interleaving.Require(
                cutting.Rings == 2,
                $"The clock has rung {cutting.Rings} times, in place of once early and once in time.");
        });
        run.Check(service.Dispose);
    }

    private sealed class CuttingClock(ExplorerClock clock) : TimeProvider
    {
        internal int Rings { get; private set; }

        public override long TimestampFrequency => clock.TimestampFrequency;

        public override long GetTimestamp() => clock.GetTimestamp();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            new CuttingTimer(clock.CreateTimer(
                _ =>
                {
                    Rings++;
                    callback(state);
                },
                null,
                dueTime,
                period));
    }

    private sealed class CuttingTimer(ITimer timer) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) =>
            timer.Change(
                dueTime < TimeSpan.Zero ? dueTime : TimeSpan.FromMilliseconds(Math.Floor(dueTime.TotalMilliseconds)),
                period);

        public void Dispose() => timer.Dispose();

        public ValueTask DisposeAsync() => timer.DisposeAsync();
    }
}

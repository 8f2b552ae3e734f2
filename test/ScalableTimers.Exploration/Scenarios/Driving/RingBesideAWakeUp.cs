using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The clock rings while the driver serves the previous ring. No timer is left for which the clock does not ring.
/// </summary>
internal sealed class RingBesideAWakeUp : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var due = new bool[3];
        run.Run(
            "ring",
            prepare: () =>
            {
                for (var i = 0; i < due.Length; i++)
                {
                    var number = i;
                    service.Schedule(_ => due[number] = true, null, TimeSpan.FromMilliseconds(10 * (i + 1)));
                }
            },
            body: () => clock.Advance(TimeSpan.FromMilliseconds(10)));
        run.Run("next ring", () => clock.Advance(TimeSpan.FromMilliseconds(10)));
        run.Run("third ring", () => clock.Advance(TimeSpan.FromMilliseconds(10)));
        run.Check(() =>
        {
            // An alarm that is set while the clock advances rings that much later.
            clock.Advance(TimeSpan.FromMilliseconds(30));
            run.Pool.Drain();
            Interleaving.Require(
                due.All(static isDone => isDone),
                $"At {clock.Elapsed.TotalMilliseconds} ms the callbacks due at 10, 20 and 30 ms have run: "
                + $"{string.Join(", ", due)}.");
            Interleaving.Require(service.GetSnapshot() is { Fired: 3, Pending: 0 }, "The figures are wrong.");
            service.Dispose();
        });
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Setting the clock fails on the thread that serves a ring, while the clock rings on another thread. No due timer is
/// left behind, and later rings are served.
/// </summary>
internal sealed class ClockFailsBesideARing : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var failing = new ClockThatFailsOnce(clock);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            failing);
        var fired = new int[3];
        run.Run(
            "ring",
            prepare: () =>
            {
                for (var i = 0; i < fired.Length; i++)
                {
                    var number = i;
                    service.Schedule(_ => fired[number]++, null, TimeSpan.FromMilliseconds(10 * (i + 1)));
                }

                failing.Fails = true;
            },
            body: Ring);
        run.Run("next ring", Ring);
        run.Check(() =>
        {
            Interleaving.Require(!failing.Fails, "The clock has not failed.");

            // An alarm that is set while the clock advances rings that much later.
            clock.Advance(TimeSpan.FromMilliseconds(30));
            run.Pool.Drain();
            Interleaving.Require(
                fired is [1, 1, 1],
                $"At {clock.Elapsed.TotalMilliseconds} ms callbacks due at 10, 20 and 30 ms have run "
                + $"{string.Join(", ", fired)} times.");
            service.Dispose();
        });

        void Ring()
        {
            try
            {
                clock.Advance(TimeSpan.FromMilliseconds(10));
            }
            catch (IOException)
            {
            }
        }
    }
}

using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Setting the clock has failed. A thread finds that and sets it, while it fails for another thread, which has a nearer
/// timer. The next timer of that thread sets it again.
/// </summary>
internal sealed class ClockFailsTwice : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var failing = new ClockThatFailsOnce(clock);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            failing);
        var fired = new int[3];
        foreach (var number in new[] { 0, 1 })
        {
            run.Run(
                $"owner {number}",
                prepare: () =>
                {
                    service.Schedule(static _ => { }, null, TimeSpan.FromHours(1));
                    if (number == 1)
                    {
                        failing.Fails = true;
                        Schedule(2, 30);
                    }
                },
                body: () =>
                {
                    failing.Fails |= number == 1;
                    if (!Schedule(number, number == 1 ? 10 : 40))
                    {
                        service.Schedule(static _ => { }, null, TimeSpan.FromHours(2));
                    }
                });
        }

        run.Check(() =>
        {
            Pass(10);
            Interleaving.Require(
                fired is [0, 1, 0], $"At 10 ms the callbacks have run {string.Join(", ", fired)} times.");
            Pass(30);
            Interleaving.Require(
                fired is [1, 1, 1], $"At 40 ms the callbacks have run {string.Join(", ", fired)} times.");
            service.Dispose();
        });

        bool Schedule(int number, int milliseconds)
        {
            try
            {
                service.Schedule(_ => fired[number]++, null, TimeSpan.FromMilliseconds(milliseconds));
                return true;
            }
            catch (IOException)
            {
                return false;
            }
        }

        void Pass(int milliseconds)
        {
            clock.Advance(TimeSpan.FromMilliseconds(milliseconds));
            run.Pool.Drain();
        }
    }
}

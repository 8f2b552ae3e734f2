using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Two timeouts become regular at once. The rounds begin once, and create the tokens of both.</summary>
internal sealed class TwoTimeoutsBecomeRegular : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions
            {
                Firing = FiringMode.ThreadPool,
                Resolution = TimeSpan.FromMilliseconds(10),
                TimeoutTokenBucket = TimeSpan.FromMilliseconds(100),
            },
            clock);
        var timeouts = new[] { TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(5050) };
        foreach (var timeout in timeouts)
        {
            run.Run(
                $"asks for {timeout.TotalMilliseconds} ms",
                prepare: () => service.GetTimeoutToken(timeout),
                body: () => service.GetTimeoutToken(timeout));
        }

        run.Daemon("nobody", static () => { }, prepare: () => clock.Advance(TimeSpan.FromMilliseconds(60)));
        run.Check(() =>
        {
            Interleaving.Require(
                service.GetSnapshot().Pending == 5,
                $"{service.GetSnapshot().Pending} timers are pending: four tokens are used, and there is one round.");
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();

            // The tokens of each timeout are those of its buckets 1 and 2, counted from 0 and 60 ms, and of the next
            // four.
            Interleaving.Require(
                service.GetSnapshot().TimeoutTokens == 12, $"There are {service.GetSnapshot().TimeoutTokens} sources.");
            service.Dispose();
            Interleaving.Require(
                service.GetSnapshot().TimeoutTokens == 4,
                $"There are {service.GetSnapshot().TimeoutTokens} sources after the end; four are used.");
        });
    }
}

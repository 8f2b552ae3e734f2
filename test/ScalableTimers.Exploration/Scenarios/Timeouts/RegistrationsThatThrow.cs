using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Registrations of two tokens and of two leases throw at once, on two threads: each failure is counted.
/// </summary>
internal sealed class RegistrationsThatThrow : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions
            {
                Firing = FiringMode.ThreadPool,
                Resolution = TimeSpan.FromMilliseconds(10),
                TimeoutTokenBucket = TimeSpan.FromMilliseconds(10),
                TimeoutTokenReuseWindow = TimeSpan.Zero,
            },
            clock);
        var thrown = 0;
        run.Run(
            "driver",
            prepare: () =>
            {
                foreach (var milliseconds in new[] { 10, 20 })
                {
                    service.GetTimeoutToken(TimeSpan.FromMilliseconds(milliseconds)).Register(Throw);
                    service.RentTimeout(TimeSpan.FromMilliseconds(milliseconds)).Token.Register(Throw);
                }

                clock.PassTo(TimeSpan.FromMilliseconds(20).Ticks);
            },
            body: () =>
            {
                run.Pool.Drain();
                run.WaitUntil(() => thrown == 4, "registrations");
                var end = service.DisposeAsync().AsTask();
                run.WaitUntil(() => end.IsCompleted, "end of the service");
                var seen = service.GetSnapshot().FailedRegistrations;
                Interleaving.Require(seen == 4, $"{seen} registrations are counted as failed, of four.");
            });
        run.PoolThreads(1);

        void Throw()
        {
            thrown++;
            throw new InvalidOperationException("A registration fails, says the scenario.");
        }
    }
}

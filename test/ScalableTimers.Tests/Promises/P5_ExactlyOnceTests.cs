using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P5: each timer fires exactly once or is cancelled, never both, never neither, whatever happens around it.
/// </summary>
public class P5_ExactlyOnceTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();

    // Seen to fail when FiringBatch.Execute queues no further worker: the others of the batch never fired.
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(126)]
    [InlineData(500)]
    public async Task Callback_Blocks_AllOthersFireOnce(int blocked)
    {
        await using var service = Services.OnThePool(_clock);
        using var release = new ManualResetEventSlim();
        using var others = new CountdownEvent(999);
        for (var i = 0; i < 1_000; i++)
        {
            service.Schedule(
                number =>
                {
                    if ((int)number! == blocked)
                    {
                        Wait.For(release, "release");
                    }
                    else
                    {
                        others.Signal();
                    }
                },
                i,
                s_second);
        }

        _clock.Advance(s_second);

        Wait.For(others, "the others fired");
        release.Set();
        await service.DisposeAsync();
        Assert.Equal((1_000L, 0L), (service.GetSnapshot().Fired, service.GetSnapshot().Failed));
    }

    [Fact]
    public void Callback_SchedulesCancelsAndReschedules_EachTimerEndsOnce()
    {
        // Every callback does something to a timer of its own tick and to later ones. In the end the counts must add
        // up.
        var seed = Environment.TickCount;
        var random = new Random(seed);
        using var service = new TimerService(new(), clock: _clock);
        var outcomes = new List<int>();
        var timers = new List<ScheduledTimer>();
        void Schedule()
        {
            var number = outcomes.Count;
            outcomes.Add(0);
            timers.Add(service.Schedule(
                _ =>
                {
                    outcomes[number]++;
                    Disturb();
                },
                null,
                TimeSpan.FromMilliseconds(random.Next(0, 200))));
        }

        void Disturb()
        {
            var other = random.Next(timers.Count);
            switch (random.Next(4))
            {
                case 0 when timers.Count < 5_000:
                    Schedule();
                    break;
                case 1 when timers[other].Cancel():
                    outcomes[other] += 100;
                    break;
                case 2:
                    timers[other].Reschedule(TimeSpan.FromMilliseconds(random.Next(0, 50)));
                    break;
                case 3 when timers.Count < 5_000:
                    Schedule();
                    Schedule();
                    break;
            }
        }

        for (var i = 0; i < 200; i++)
        {
            Schedule();
        }

        _clock.Advance(TimeSpan.FromMinutes(1));

        Assert.All(
            outcomes,
            outcome =>
                Assert.True(outcome is 1 or 100, $"Seed {seed}: outcome {outcome}; 1 is fired, 100 is cancelled."));
        var snapshot = service.GetSnapshot();
        Assert.Equal(0, snapshot.Pending);
        Assert.Equal(outcomes.Count(static outcome => outcome == 1), snapshot.Fired);
        Assert.Equal(snapshot.Scheduled, snapshot.Fired + snapshot.Cancelled);
    }
}

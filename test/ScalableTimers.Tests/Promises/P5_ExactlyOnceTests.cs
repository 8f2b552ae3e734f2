using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P5: each timer fires exactly once or is cancelled, never both, never neither, whatever happens around it.
/// </summary>
public class P5_ExactlyOnceTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Thread_Ends_ItsTimersFireOnce()
    {
        using var service = Services.OnThePool(_clock);
        const int Threads = 60;
        const int Timers = 20;
        var fired = new int[Threads * Timers];
        using var all = new CountdownEvent(fired.Length);
        for (var i = 0; i < Threads; i++)
        {
            var number = i;
            Wait.ForThread(() =>
            {
                for (var j = 0; j < Timers; j++)
                {
                    service.Schedule(
                        index =>
                        {
                            Interlocked.Increment(ref fired[(int)index!]);
                            all.Signal();
                        },
                        (number * Timers) + j,
                        (1 + j) * s_second);
                }
            });
        }

        _clock.Advance(Timers * s_second);

        Wait.For(all, "timers of ended threads");
        Assert.All(fired, static times => Assert.Equal(1, times));
    }

    [Fact]
    public void Service_Stops_ScheduledCallbacksFireOnceAndDelaysEndOnce()
    {
        using var service = new TimerService(clock: _clock);
        var (fired, resumed) = (0, 0);
        service.Schedule(_ => fired++, null, s_second);
        var delay = service.TryDelay(s_second);
        delay.GetAwaiter().OnCompleted(() => resumed++);

        _ = service.StopAsync();
        _clock.Advance(s_second);

        Assert.Equal((1, 1), (fired, resumed));
        Assert.False(delay.Read());
    }

    [Fact]
    public void Callback_Throws_AllOthersFireOnce()
    {
        using var service = new TimerService(clock: _clock, logger: NullLogger<TimerService>.Instance);
        var fired = 0;
        for (var i = 0; i < 1_000; i++)
        {
            service.Schedule(
                number =>
                {
                    fired++;
                    if ((int)number! % 2 == 0)
                    {
                        throw new InvalidOperationException("Thrown by the callback.");
                    }
                },
                i,
                s_second);
        }

        _clock.Advance(s_second);
        _clock.Advance(s_second);

        Assert.Equal(1_000, fired);
        Assert.Equal((1_000L, 500L), (service.GetSnapshot().Fired, service.GetSnapshot().Failed));
    }

    [Fact]
    public async Task Callback_Blocks_AllOthersFireOnce()
    {
        await using var service = Services.OnThePool(_clock);
        using var release = new ManualResetEventSlim();
        using var others = new CountdownEvent(999);
        var blocked = 0;
        for (var i = 0; i < 1_000; i++)
        {
            service.Schedule(
                number =>
                {
                    if ((int)number! == 500)
                    {
                        Interlocked.Increment(ref blocked);
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
        Assert.Equal((1, 1_000L, 0L), (blocked, service.GetSnapshot().Fired, service.GetSnapshot().Failed));
    }

    [Fact]
    public void Callback_SchedulesCancelsAndReschedules_EachTimerEndsOnce()
    {
        // Every callback does something to a timer of its own tick and to later ones. At the end the counts must add
        // up.
        var seed = Environment.TickCount;
        var random = new Random(seed);
        using var service = new TimerService(clock: _clock);
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

    [Fact]
    public async Task Callback_DisposesTheService_EveryTimerHasFiredOrIsCountedAsDropped()
    {
        foreach (var disposeAt in (int[])[0, 1, 127, 128, 129, 499])
        {
            using var service = Services.OnThePool(_clock);
            var fired = 0;
            using var disposed = new ManualResetEventSlim();
            for (var i = 0; i < 500; i++)
            {
                service.Schedule(
                    number =>
                    {
                        Interlocked.Increment(ref fired);
                        if ((int)number! == disposeAt)
                        {
                            service.Dispose();
                            disposed.Set();
                        }
                    },
                    i,
                    i < 250 ? s_second : 2 * s_second);
            }

            _clock.Advance(disposeAt < 250 ? s_second : 2 * s_second);
            Wait.For(disposed, "the service was disposed by a callback");
            await Wait.For(service.DisposeAsync().AsTask(), "callbacks ended");

            var snapshot = service.GetSnapshot();
            Assert.Equal((0L, 500L, 0L), (snapshot.Pending, snapshot.Fired + snapshot.Dropped, snapshot.Failed));
            Assert.Equal(fired, snapshot.Fired);
        }
    }

    [Fact]
    public void Service_DisposedWhileOthersSchedule_EachScheduleThrowsOrCounts()
    {
        for (var round = 0; round < 20; round++)
        {
            var service = Services.OnThePool(new HandClock());
            var accepted = 0;
            using var start = new Barrier(3);
            var threads = Enumerable.Range(0, 2).Select(_ => new TestThread(() =>
            {
                start.SignalAndWait();
                Assert.Throws<ObjectDisposedException>(() =>
                {
                    for (var i = 0; i < 5_000_000; i++)
                    {
                        service.Schedule(static _ => { }, null, s_second);
                        Interlocked.Increment(ref accepted);
                        if (i > 10_000)
                        {
                            // The disposing thread may be waiting for this processor.
                            Thread.Yield();
                        }
                    }
                });
            })).ToList();
            threads.ForEach(static thread => thread.Start());
            start.SignalAndWait();
            service.Dispose();
            threads.ForEach(Wait.ForEnd);

            Assert.Equal((0L, accepted), (service.GetSnapshot().Pending, (int)service.GetSnapshot().Dropped));
        }
    }
}

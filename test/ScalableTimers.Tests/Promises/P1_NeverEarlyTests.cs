using System.Diagnostics;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P1: never early, by a precise monotonic clock, for any mix of due times, threads, cancellations and clock steps.
/// </summary>
public class P1_NeverEarlyTests
{
    [Theory]
    [InlineData(1_000)]
    [InlineData(2_441_406)]
    [InlineData(10_000_000)]
    [InlineData(1_000_000_000)]
    public void Schedule_AnyDueTimeOnAnErraticClock_IsNotEarly(long frequency)
    {
        // The clock's timer rings early, late and without reason. Only its timestamps are reliable.
        var seed = Environment.TickCount;
        var random = new Random(seed);
        var clock = new HandClock(frequency) { Timestamp = random.NextInt64(1L << 50) };
        using var service = new TimerService(new(), clock: clock);
        var early = new List<string>();
        var fired = 0;
        const int Timers = 3_000;
        for (var i = 0; i < Timers; i++)
        {
            var start = clock.Timestamp;
            var dueTime = TimeSpan.FromTicks(random.NextInt64(1L << random.Next(1, 32)));
            var number = i;
            var timer = service.Schedule(
                _ =>
                {
                    fired++;
                    if (clock.GetElapsedTime(start) < dueTime)
                    {
                        early.Add($"Number {number}: asked for {dueTime}, got {clock.GetElapsedTime(start)}.");
                    }
                },
                null,
                dueTime);
            if (i % 3 == 0)
            {
                Assert.True(timer.Cancel());
            }

            clock.Skip(TimeSpan.FromTicks(random.Next(100_000)));
            if (i % 5 == 0)
            {
                clock.Ring();
            }
        }

        clock.SkipAndRing(TimeSpan.FromDays(1));

        Assert.True(early.Count == 0, $"Seed {seed}: {string.Join(" ", early.Take(5))}");
        Assert.Equal(Timers - (Timers / 3), fired);
    }

    [Theory]
    [InlineData(TimerServiceDriver.Thread, 1)]
    [InlineData(TimerServiceDriver.Thread, 10)]
    [InlineData(TimerServiceDriver.Timer, 10)]
    public async Task Schedule_MixedDueTimesBySeveralThreads_IsNotEarlyByTheStopwatch(
        TimerServiceDriver driver, int resolution)
    {
        const int Threads = 3;
        const int Timers = 3_000;
        var options = new TimerServiceOptions
        {
            Driver = driver,
            Resolution = TimeSpan.FromMilliseconds(resolution),
        };
        await using var service = new TimerService(options);
        using var all = new CountdownEvent(Threads * Timers);
        var early = 0;
        Wait.ForThreads(Threads, number =>
        {
            var random = new Random(number);
            for (var i = 0; i < Timers; i++)
            {
                var dueTime = TimeSpan.FromMicroseconds(random.Next(300_000));
                var start = Stopwatch.GetTimestamp();
                var timer = service.Schedule(
                    _ =>
                    {
                        if (Stopwatch.GetElapsedTime(start) < dueTime)
                        {
                            Interlocked.Increment(ref early);
                        }

                        all.Signal();
                    },
                    null,
                    dueTime);
                if (i % 4 == 0 && timer.Cancel())
                {
                    all.Signal();
                }
            }
        });

        Wait.For(all, "timers fired or were cancelled");
        Assert.Equal(0, early);
    }

    [Fact]
    public void Schedule_WallClockStepsForwardAndBack_IsNotAffected()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(new(), clock: clock);
        var fired = 0;
        service.Schedule(_ => fired++, null, TimeSpan.FromMinutes(1));

        clock.AdjustTime(clock.GetUtcNow() + TimeSpan.FromHours(5));
        clock.Advance(TimeSpan.FromSeconds(59));
        clock.AdjustTime(clock.GetUtcNow() - TimeSpan.FromHours(10));
        Assert.Equal(0, fired);
        clock.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(1, fired);
    }
}

using ScalableTimers.Tests.Clock;
using ScalableTimers.Tests.Wheel;
using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P3: schedule, cancel and fire are O(1) amortised; nothing scans what is not due. Counted, not timed: the wheel's
/// budget counts every entry looked at.
/// </summary>
public class P3_ConstantTimeTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1_000)]
    [InlineData(100_000)]
    public void Advance_WithManyPending_LooksAtThoseDueOnly(int pending)
    {
        var wheel = new TimerWheel();
        for (var i = 0; i < pending; i++)
        {
            wheel.ScheduleNew(300_000 + (i % 1_000));
        }

        for (var i = 0; i < 1_000; i++)
        {
            wheel.ScheduleNew(1 + (i % 60));
        }

        var budget = int.MaxValue;
        for (var tick = 0; tick < 262_144; tick += 100)
        {
            while (wheel.Advance(tick, ref budget) is not null)
            {
            }
        }

        Assert.Equal(1_000, int.MaxValue - budget);
        Assert.Equal(pending, wheel.Count);
    }

    [Fact]
    public void Advance_UntilAllExpire_LooksAtEachOncePerLevelAtMost()
    {
        var wheel = new TimerWheel();
        var random = new Random(9);
        const int Entries = 20_000;
        for (var i = 0; i < Entries; i++)
        {
            wheel.ScheduleNew(random.NextInt64(1L << random.Next(1, 51)));
        }

        var budget = int.MaxValue;
        var expired = 0;
        while (wheel.Advance(TimerWheel.MaxTick, ref budget) is not null)
        {
            expired++;
        }

        Assert.Equal(Entries, expired);
        Assert.InRange(int.MaxValue - budget, 2 * Entries, Entries * TimerWheel.Levels);
    }

    [Fact]
    public void Advance_AllTimersAreShort_LooksAtEachOnce()
    {
        // If one short list were scanned whenever its first timer is due, this would be quadratic (coreclr #20302).
        var wheel = new TimerWheel();
        var looks = 0L;
        for (var tick = 0L; tick < 1_000; tick++)
        {
            for (var i = 1; i <= 50; i++)
            {
                wheel.ScheduleNew(tick + i);
            }

            var budget = int.MaxValue;
            while (wheel.Advance(tick, ref budget) is not null)
            {
            }

            looks += int.MaxValue - budget;
        }

        // Each timer is moved down at most once before it expires.
        Assert.InRange(looks, 40_000, 100_000);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(50_000)]
    public void Schedule_WithManyPending_ReadsTheClockOnceAndLeavesTheDriverAlone(int pending)
    {
        var clock = new HandClock();
        using var service = Services.OnThePool(clock);
        service.Schedule(static _ => { }, null, TimeSpan.FromSeconds(1));
        for (var i = 0; i < pending; i++)
        {
            service.Schedule(static _ => { }, null, TimeSpan.FromHours(1));
        }

        var (reads, changes) = (0, clock.Changes);
        Wait.ForThread(() => service.Schedule(static _ => { }, null, TimeSpan.FromHours(1)));
        clock.Reading = () => reads++;
        for (var i = 0; i < 1_000; i++)
        {
            service.Schedule(static _ => { }, null, TimeSpan.FromMinutes(1)).Cancel();
        }

        Assert.Equal((1_000, changes), (reads, clock.Changes));
    }
}

using ScalableTimers.Testing;
using ScalableTimers.Tests.Wheel;
using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>
/// netty/netty #7760 and akka/akka #1016: a delay that is a multiple of the wheel's period, beyond its capacity, or so
/// large that it overflows fires at once, early or never.
/// </summary>
public class Netty7760_DelayBeyondCapacityTests
{
    [Fact]
    public void Schedule_OneWholeTurnOfEachLevel_FiresAfterIt()
    {
        for (var level = 1; level < TimerWheel.Levels; level++)
        {
            var turn = 1L << (6 * level);
            foreach (var start in (long[])[0, 1, 5, 63])
            {
                var wheel = new TimerWheel(start);
                var entry = wheel.ScheduleNew(start + turn);

                // The slot of the current tick comes up again only after a whole turn of the wheel.
                Assert.Empty(wheel.Advance(start));
                Assert.Empty(wheel.Advance(start + turn - 1));
                Assert.Same(entry, Assert.Single(wheel.Advance(start + turn)));
            }
        }
    }

    [Fact]
    public void Schedule_HugeDelays_NeitherOverflowNorFire()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        foreach (
            var dueTime in (TimeSpan[])
            [
                TimeSpan.MaxValue,
                TimeSpan.FromMilliseconds(long.MaxValue / TimeSpan.TicksPerMillisecond),
                TimeSpan.FromMilliseconds((double)int.MaxValue * 1_000),
                TimeSpan.FromMilliseconds(uint.MaxValue * 10.0)
            ])
        {
            service.Schedule(static _ => Assert.Fail("It overflowed."), null, dueTime);
        }

        clock.Advance(TimeSpan.FromDays(365));

        Assert.Equal((4L, 0L), (service.GetSnapshot().Pending, service.GetSnapshot().Failed));
    }

    [Fact]
    public void Schedule_BeyondWhatOneTimerOfTheClockTakes_FiresThen()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        var firedAt = TimeSpan.Zero;
        service.Schedule(_ => firedAt = clock.Elapsed, null, TimeSpan.FromDays(50));

        clock.Advance(TimeSpan.FromDays(51));

        Assert.Equal(TimeSpan.FromDays(50), firedAt);
    }
}

using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>
/// akka/akka #1547: the driver oversleeps. While it catches up tick by tick, timers that are added meanwhile fire
/// early.
/// </summary>
public class Akka1547_OversleptDriverTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    [Fact]
    public void Schedule_BetweenOversleepingAndWakingUp_IsNotEarly()
    {
        var clock = new HandClock();
        using var service = new TimerService(clock: clock);
        var fired = new List<string>();
        service.Schedule(_ => fired.Add("old"), null, s_tick);

        // Time has advanced by a thousand ticks, but the driver has not been woken yet.
        clock.Skip(1_000 * s_tick);
        service.Schedule(_ => fired.Add("new"), null, 5 * s_tick);
        clock.Ring();
        Assert.Equal(["old"], fired);

        clock.SkipAndRing((5 * s_tick) - TimeSpan.FromTicks(1));
        Assert.Equal(["old"], fired);
        clock.SkipAndRing(TimeSpan.FromTicks(1));
        Assert.Equal(["old", "new"], fired);
    }

    [Fact]
    public void Schedule_ByACallbackOfTheCatchUp_IsNotEarly()
    {
        var clock = new HandClock();
        using var service = new TimerService(clock: clock);
        var fired = new List<long>();
        for (var i = 1; i <= 100; i++)
        {
            service.Schedule(
                _ => service.Schedule(_ => fired.Add(clock.Timestamp), null, 20 * s_tick), null, i * s_tick);
        }

        clock.SkipAndRing(50_000 * s_tick);
        Assert.Empty(fired);
        clock.SkipAndRing(20 * s_tick);

        Assert.Equal(Enumerable.Repeat(50_020 * s_tick.Ticks, 100), fired);
    }
}

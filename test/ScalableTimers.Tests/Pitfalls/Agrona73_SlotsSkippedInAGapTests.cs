using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>
/// real-logic/agrona #73: after a gap only the current slot was polled, and the timers in the slots between waited for
/// the next turn of the wheel.
/// </summary>
public class Agrona73_SlotsSkippedInAGapTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    [Theory]
    [InlineData(50)]
    [InlineData(64)]
    [InlineData(1_000)]
    [InlineData(4_096)]
    [InlineData(1_000_000)]
    public void Wake_AfterAGap_FiresEverySlotOfIt(int gap)
    {
        var clock = new HandClock();
        using var service = new TimerService(clock: clock);
        var fired = new List<int>();
        var ticks = Enumerable.Range(1, 200).Select(i => (int)((long)i * gap / 200)).ToList();
        foreach (var tick in ticks)
        {
            service.Schedule(state => fired.Add((int)state!), tick, tick * s_tick);
        }

        clock.SkipAndRing(gap * s_tick);

        Assert.Equal(ticks, fired);
    }
}

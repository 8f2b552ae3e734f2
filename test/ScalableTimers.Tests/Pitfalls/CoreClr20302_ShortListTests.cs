using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>
/// dotnet/coreclr #20302: one list of short timers, re-armed and scanned for the nearest, costs O(n) a firing when all
/// timers are short.
/// </summary>
public class CoreClr20302_ShortListTests
{
    [Fact]
    public void Fire_AllTimersAreShort_WakesOncePerTickAndLooksAtThoseDue()
    {
        var clock = new HandClock();
        using var service = new TimerService(clock: clock);
        var fired = 0;
        for (var i = 0; i < 20_000; i++)
        {
            service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(10 * (1 + (i % 50))));
        }

        for (var tick = 1; tick <= 50; tick++)
        {
            clock.SkipAndRing(TimeSpan.FromMilliseconds(10));
            Assert.Equal(400 * tick, fired);
        }

        Assert.Equal(50, service.Driver.WakeUps);
    }
}

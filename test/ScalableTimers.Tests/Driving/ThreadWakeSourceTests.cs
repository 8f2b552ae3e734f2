using ScalableTimers.Driving;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Driving;

public class ThreadWakeSourceTests
{
    // After the machine has been suspended, a timer may be late by up to the longest wait.
    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    public void Milliseconds_FarOff_AMinuteAtMost(int resolution)
    {
        using var service = NewService(resolution);
        var source = new ThreadWakeSource((RoundDriver)service.Driver, service.Clock);

        Assert.Equal(60_000, source.Milliseconds(TimeSpan.FromHours(5)));
        Assert.Equal(60_000, source.Milliseconds(TimeSpan.MaxValue));
        Assert.Equal(50, source.Milliseconds(TimeSpan.FromMilliseconds(50)));
    }

    [Fact]
    public void Alarm_OnTheSystemClock_IsSetForAMinuteAtMost()
    {
        using var real = Services.WithSystemClock(TimerServiceDriver.Timer);
        using var virtually = new TimerService(new(), clock: new HandClock());

        Assert.Equal(TimeSpan.FromMinutes(1), MaxWait(real));
        Assert.Equal(TimeSpan.FromDays(40), MaxWait(virtually));
    }

    private static TimerService NewService(int resolution) =>
        Services.OnThePool(
            new HandClock(), new TimerServiceOptions { Resolution = TimeSpan.FromMilliseconds(resolution) });

    private static TimeSpan MaxWait(TimerService service) =>
        (TimeSpan)Services.Field(service.Driver.Source, "_maxWait")!;
}

using ScalableTimers.Driving;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Driving;

public class ThreadWakeSourceTests
{
    // After the machine has been suspended, a timer may be late by up to the longest wait.
    [Theory]
    [InlineData(5 * 3_600_000, 60_000)]
    [InlineData(50, 50)]
    [InlineData(49.01, 50)]
    public void Milliseconds_Any_AreRoundedUpAndAMinuteAtMost(double wait, int expected) =>
        Assert.Equal(expected, ThreadWakeSource.Milliseconds(TimeSpan.FromMilliseconds(wait)));

    [Fact]
    public void Alarm_OnTheSystemClock_IsSetForAMinuteAtMost()
    {
        using var real = Services.WithSystemClock(TimerServiceDriver.Timer);
        using var virtually = new TimerService(new(), clock: new HandClock());

        Assert.Equal(TimeSpan.FromMinutes(1), MaxWait(real));
        Assert.Equal(TimeSpan.FromDays(40), MaxWait(virtually));
    }

    private static TimeSpan MaxWait(TimerService service) =>
        (TimeSpan)Services.Field(service.Driver.Source, "_maxWait")!;
}

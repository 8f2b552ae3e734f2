using ScalableTimers.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Clock;

public class TickSleepTests
{
    // After the machine was suspended, a timer is late by up to the longest wait.
    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    public void Milliseconds_FarOff_AMinuteAtMost(int resolution)
    {
        using var sleep = new TickSleep(new TickClock(new HandClock(), TimeSpan.FromMilliseconds(resolution)));

        Assert.Equal(60_000, sleep.Milliseconds(TimeSpan.FromHours(5)));
        Assert.Equal(60_000, sleep.Milliseconds(TimeSpan.MaxValue));
        Assert.Equal(50, sleep.Milliseconds(TimeSpan.FromMilliseconds(50)));
    }

    // Calibrated by not catching the exception. On a thread of the driver it would end the process.
    [Theory]
    [InlineData(TimerWheel.Never)]
    [InlineData(1_000)]
    public void Until_SomebodyInterruptsTheThread_ReturnsEarly(long tick) => Wait.ForThread(() =>
    {
        using var sleep = new TickSleep(new TickClock(new HandClock(), TimeSpan.FromMilliseconds(10)));
        Thread.CurrentThread.Interrupt();

        sleep.Until(tick);
    });

    [Fact]
    public void AlarmOfADriver_BySystemClock_IsSetForAMinuteAtMost()
    {
        using var real = Services.WithSystemClock(TimerDriverKind.Timer);
        using var virtually = new TimerService(clock: new HandClock());

        Assert.Equal(TimeSpan.FromMinutes(1), MaxWait(real));
        Assert.Equal(TimeSpan.FromDays(40), MaxWait(virtually));
    }

    private static TimeSpan MaxWait(TimerService service) =>
        (TimeSpan)Services.Field(Services.Field(service.Driver, "_source")!, "_maxWait")!;
}

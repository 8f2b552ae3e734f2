using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>P6: with nothing due soon the driver sleeps.</summary>
public class P6_SleepsWhileNothingIsDueTests
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    [Fact]
    public void FarOffTimers_AHundredThousandForAnHour_CostNoWakeUp()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(new(), clock: clock);
        for (var i = 0; i < 100_000; i++)
        {
            service.Schedule(s_ignore, null, TimeSpan.FromHours(10) + (i * TimeSpan.FromMilliseconds(77)));
        }

        Assert.Equal(1, clock.ArmedTimers);
        clock.Advance(s_hour);

        Assert.Equal(0, service.GetSnapshot().DriverWakeUps);
    }

    [Fact]
    public void FarOffTimers_OfEveryKind_ShareOneTimerOfTheClock()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(new(), clock: clock);
        using var source = new CancellationTokenSource(s_hour, service.TimeProvider);
        using var periodic = new PeriodicTimer(s_hour, service.TimeProvider);
        for (var i = 0; i < 1_000; i++)
        {
            service.Schedule(s_ignore, null, s_hour);
            _ = service.TryDelay(s_hour);
            _ = service.GetTimeoutToken(s_hour + (i * TimeSpan.FromSeconds(1)));
        }

        Assert.Equal(1, clock.ArmedTimers);
    }

    [Fact]
    public void InfiniteTimers_ByTheThousand_ArmNothing()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(new(), clock: clock);
        for (var i = 0; i < 10_000; i++)
        {
            service.Schedule(s_ignore, null, Timeout.InfiniteTimeSpan);
        }

        Assert.Equal(0, clock.ArmedTimers);
    }

    [Fact]
    public void ShortTimers_AllCancelled_CostOneWakeUp()
    {
        // Every timeout is cancelled before it is due, as nearly all timeouts are. The driver wakes once for each
        // deadline that was the earliest, not once for each timer.
        var clock = new HandClock();
        using var service = new TimerService(new(), clock: clock);
        for (var i = 0; i < 10_000; i++)
        {
            service.Schedule(s_ignore, null, TimeSpan.FromSeconds(30)).Cancel();
            clock.Skip(TimeSpan.FromMilliseconds(1));
            if (clock.NextWait == TimeSpan.Zero)
            {
                clock.Ring();
            }
        }

        Assert.Equal((0L, 0L), (service.Driver.WakeUps, service.GetSnapshot().Pending));
        clock.SkipAndRing(s_hour);
        Assert.Equal(1, service.Driver.WakeUps);
        Assert.Null(clock.NextWait);
    }

    [Fact]
    public void FarOffTimers_OnTheSystemClock_LetTheDriverThreadSleep()
    {
        using var service = Services.WithSystemClock();
        for (var i = 0; i < 100_000; i++)
        {
            service.Schedule(s_ignore, null, s_hour + (i * TimeSpan.FromMilliseconds(10)));
        }

        // The first timer sets the wake-up. The others are due later.
        Assert.InRange(service.GetSnapshot().DriverWakeUps, 0, 1);
        Assert.InRange(
            service.Clock.Until(service.Driver.NextWakeTick),
            TimeSpan.FromMinutes(1),
            s_hour + TimeSpan.FromMilliseconds(2));
    }
}

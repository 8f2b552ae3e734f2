using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Driving;

public class TimerDriverTests
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly HandClock _clock = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Schedule_NearerThanAllOthers_SetsTheClockNearer(bool elsewhere)
    {
        using var service = Services.OnThePool(_clock);
        Assert.Null(_clock.NextWait);
        service.Schedule(s_ignore, null, s_hour);
        Assert.Equal(s_hour, _clock.NextWait);

        Schedule(service, 5 * s_tick, elsewhere);

        Assert.Equal(5 * s_tick, _clock.NextWait);
    }

    [Fact]
    public void Serve_ClockRingsEarly_FiresNothingAndSetsItAgain()
    {
        using var service = new TimerService(new(), clock: _clock);
        var fired = 0;
        service.Schedule(_ => fired++, null, 5 * s_tick);

        // .NET's timers ring up to 9 ms early. The remaining wait is rounded up to milliseconds, because some clocks
        // truncate it.
        _clock.SkipAndRing((5 * s_tick) - TimeSpan.FromTicks(15_000));
        Assert.Equal(0, fired);
        Assert.Equal(TimeSpan.FromMilliseconds(2), _clock.NextWait);
        Assert.Equal(0, service.Driver.WakeUps);

        _clock.SkipAndRing(TimeSpan.FromMilliseconds(2));
        Assert.Equal(1, fired);
    }

    [Fact]
    public void Arm_BeyondTheClocksLimit_WaitsInSteps()
    {
        using var service = new TimerService(new(), clock: _clock);
        var fired = 0;
        service.Schedule(_ => fired++, null, TimeSpan.FromDays(100));

        // The driver waits for at most 40 days at a time, because .NET's timers accept 49.
        Assert.InRange(_clock.NextWait!.Value, TimeSpan.FromDays(1), TimeSpan.FromDays(40));
        var rings = 0;
        while (_clock.NextWait is { } wait)
        {
            _clock.SkipAndRing(wait);
            Assert.InRange(++rings, 1, 20);
        }

        Assert.Equal(1, fired);
        Assert.InRange(_clock.Timestamp, TimeSpan.FromDays(100).Ticks, TimeSpan.FromDays(100).Ticks + s_tick.Ticks);
    }

    private static void Schedule(TimerService service, TimeSpan dueTime, bool elsewhere)
    {
        if (elsewhere)
        {
            Wait.ForThread(() => service.Schedule(s_ignore, null, dueTime));
        }
        else
        {
            service.Schedule(s_ignore, null, dueTime);
        }
    }
}

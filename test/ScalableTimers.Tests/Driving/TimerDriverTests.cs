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
    public void Schedule_WhileAnotherThreadSetsTheClock_HasSetItWhenItReturns()
    {
        // In virtual time the caller may advance the clock next, and then expects its timer to fire.
        using var service = new TimerService(clock: _clock);
        TimeSpan? setWhenItReturned = null;
        var scheduler = new TestThread(() =>
        {
            service.Schedule(s_ignore, null, s_tick);
            setWhenItReturned = _clock.NextWait;
        });
        OnceWhen(
            static (clock, action) => clock.Changed = action,
            () =>
            {
                // The other thread may finish at once, or wait for the thread that is setting the clock, which is this
                // one.
                scheduler.Start();
                while (scheduler.IsAlive && !scheduler.IsWaiting)
                {
                    Thread.Yield();
                }
            });

        service.Schedule(s_ignore, null, s_hour);
        Wait.ForEnd(scheduler);

        Assert.Equal(s_tick, setWhenItReturned);
    }

    [Fact]
    public void Serve_ClockRingsEarly_FiresNothingAndSetsItAgain()
    {
        using var service = new TimerService(clock: _clock);
        var fired = 0;
        service.Schedule(_ => fired++, null, 5 * s_tick);

        // .NET's timers ring up to 9 ms early. The remaining wait is rounded up to milliseconds, because some clocks
        // cut the fraction off.
        _clock.SkipAndRing((5 * s_tick) - TimeSpan.FromTicks(15_000));
        Assert.Equal(0, fired);
        Assert.Equal(TimeSpan.FromMilliseconds(2), _clock.NextWait);
        Assert.Equal(0, service.Driver.WakeUps);

        _clock.SkipAndRing(TimeSpan.FromMilliseconds(2));
        Assert.Equal(1, fired);
    }

    [Fact]
    public void Arm_BeyondWhatAClockTakes_IsCutAndSetAgain()
    {
        using var service = new TimerService(clock: _clock);
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

    // The lost wake-up, with one interleaving in each test. With another thread, the list of queues changes while the
    // driver reads it, because that thread's queue is new. A wake-up reads the clock twice. First it checks whether it
    // is early. Then it announces that it is awake, and reads the clock again to see what is due. It sets the clock
    // after it has announced the next wake-up.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void LostWakeUp_ScheduledAfterTheDriverReadTheTime_IsWokenFor(bool elsewhere)
    {
        using var service = Services.OnThePool(_clock);
        service.Schedule(s_ignore, null, s_tick);
        service.Schedule(s_ignore, null, s_hour);
        OnceWhen(
            static (clock, action) => clock.Reading = action, () => Schedule(service, s_tick, elsewhere), skip: 1);

        _clock.SkipAndRing(s_tick);

        Assert.Equal((2L, s_tick), (service.Driver.NextWakeTick, _clock.NextWait));
    }

    [Fact]
    public void LostWakeUp_ScheduledWhileTheDriverSetsTheClock_IsWokenFor()
    {
        using var service = Services.OnThePool(_clock);
        service.Schedule(s_ignore, null, s_tick);
        service.Schedule(s_ignore, null, s_hour);
        OnceWhen(static (clock, action) => clock.Changed = action, () => service.Schedule(s_ignore, null, 3 * s_tick));

        _clock.SkipAndRing(s_tick);

        Assert.Equal((4L, 3 * s_tick), (service.Driver.NextWakeTick, _clock.NextWait));
    }

    [Fact]
    public void LostWakeUp_NearerScheduledWhileASchedulerSetsTheClock_TheNearerWins()
    {
        using var service = Services.OnThePool(_clock);
        OnceWhen(static (clock, action) => clock.Changed = action, () => service.Schedule(s_ignore, null, s_tick));

        service.Schedule(s_ignore, null, s_hour);

        Assert.Equal((1L, s_tick), (service.Driver.NextWakeTick, _clock.NextWait));
    }

    [Fact]
    public void LostWakeUp_WakeUpComesWhileTheDriverServes_IsMergedAndLooksAgain()
    {
        using var service = Services.OnThePool(_clock);
        using var fired = new CountdownEvent(2);
        service.Schedule(_ => fired.Signal(), null, s_tick);
        service.Schedule(_ => fired.Signal(), null, 2 * s_tick);

        // Right after the driver has read the time, the time advances by a tick and a second wake-up comes.
        OnceWhen(
            static (clock, action) => clock.Reading = action,
            () =>
            {
                _clock.Skip(s_tick);
                service.Driver.Serve();
            },
            skip: 1);
        _clock.SkipAndRing(s_tick);

        Wait.For(fired, "both timers fired");
        Assert.Equal(2, service.Driver.WakeUps);
        Assert.Null(_clock.NextWait);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ThreadDriver_NearerTimerScheduledWhileItSleeps_FiresFirst(bool firesOnDriverThread)
    {
        // This is the real clock. The thread sleeps for an hour, and must be woken for the second timer.
        await using var service = Services.WithSystemClock(TimerDriverKind.Thread, firesOnDriverThread);
        var fired = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        service.Schedule(static _ => Assert.Fail("Not due."), null, s_hour);

        service.Schedule(_ => fired.SetResult(), null, s_tick);

        await Wait.For(fired.Task, "the nearer timer fired");
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

    // The hook acts on this thread only, because the pool's workers read the clock too.
    private void OnceWhen(Action<HandClock, Action?> hook, Action action, int skip = 0)
    {
        var test = Environment.CurrentManagedThreadId;
        hook(_clock, () =>
        {
            if (Environment.CurrentManagedThreadId == test && skip-- == 0)
            {
                hook(_clock, null);
                action();
            }
        });
    }
}

using ScalableTimers.Tests.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Driving;

public class TimerDriverTests
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly HandClock _clock = new();

    [Fact]
    public void Schedule_NothingPending_SetsTheClockForIt()
    {
        using var service = Services.OnThePool(_clock);
        Assert.Null(_clock.NextWait);

        service.Schedule(s_ignore, null, s_hour);

        Assert.Equal(s_hour, _clock.NextWait);
        Assert.Equal(360_000, service.Driver.NextWakeTick);
    }

    [Fact]
    public void Schedule_NearerThanAllOthers_SetsTheClockNearer()
    {
        using var service = Services.OnThePool(_clock);
        service.Schedule(s_ignore, null, s_hour);

        service.Schedule(s_ignore, null, 5 * s_tick);

        Assert.Equal(5 * s_tick, _clock.NextWait);
    }

    [Fact]
    public void Schedule_NearerOnAnotherThread_SetsTheClockNearer()
    {
        using var service = Services.OnThePool(_clock);
        service.Schedule(s_ignore, null, s_hour);

        Wait.ForThread(() => service.Schedule(s_ignore, null, 5 * s_tick));

        Assert.Equal(5 * s_tick, _clock.NextWait);
    }

    [Fact]
    public void Schedule_LaterThanTheNearest_LeavesTheClockAlone()
    {
        using var service = Services.OnThePool(_clock);
        service.Schedule(s_ignore, null, 5 * s_tick);
        var changes = _clock.Changes;

        for (var i = 0; i < 1_000; i++)
        {
            service.Schedule(s_ignore, null, (5 + i) * s_tick);
        }

        Wait.ForThread(() => service.Schedule(s_ignore, null, 6 * s_tick));
        Assert.Equal(changes, _clock.Changes);
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
    public void Cancel_OfTheNearest_CostsOneEmptyWakeUpAtMost()
    {
        using var service = new TimerService(clock: _clock);
        var fired = 0;
        service.Schedule(_ => fired++, null, s_hour);
        service.Schedule(_ => fired += 100, null, s_tick).Cancel();

        _clock.SkipAndRing(s_tick);

        Assert.Equal((0, 1L), (fired, service.Driver.WakeUps));
        Assert.True(service.Driver.NextWakeTick > 200_000);
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
    public void Serve_ClockRingsWithNothingPending_DoesNothing()
    {
        using var service = new TimerService(clock: _clock);
        service.Schedule(s_ignore, null, s_tick);
        _clock.SkipAndRing(s_tick);
        Assert.Null(_clock.NextWait);

        service.Driver.Serve();

        Assert.Null(_clock.NextWait);
        Assert.Equal(TimerWheel.Never, service.Driver.NextWakeTick);
    }

    [Fact]
    public void Serve_LateByAnHour_FiresAllThatWasDueOnceAndNothingElse()
    {
        using var service = new TimerService(clock: _clock);
        var fired = new List<int>();
        for (var i = 0; i < 1_000; i++)
        {
            service.Schedule(state => fired.Add((int)state!), i, i * s_tick);
        }

        service.Schedule(static _ => Assert.Fail("Not due."), null, s_hour + s_tick);

        _clock.SkipAndRing(s_hour);

        Assert.Equal(Enumerable.Range(0, 1_000), fired);
        Assert.Equal(1, service.Driver.WakeUps);
        Assert.Equal(s_tick, _clock.NextWait);
    }

    [Fact]
    public void Serve_FarOffTimersByTheThousand_DoesNotWake()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        for (var i = 0; i < 100_000; i++)
        {
            service.Schedule(s_ignore, null, TimeSpan.FromHours(3) + (i * TimeSpan.FromSeconds(1)));
        }

        var before = service.GetSnapshot().DriverWakeUps;
        clock.Advance(s_hour);

        Assert.Equal(before, service.GetSnapshot().DriverWakeUps);
        Assert.Equal(100_000, service.GetSnapshot().Pending);
    }

    [Fact]
    public void Serve_FarOffTimersOfManyThreads_DoesNotWake()
    {
        using var service = Services.OnThePool(_clock);
        for (var i = 0; i < 20; i++)
        {
            Wait.ForThread(() =>
            {
                for (var j = 0; j < 1_000; j++)
                {
                    service.Schedule(s_ignore, null, TimeSpan.FromHours(3));
                }
            });
        }

        Assert.InRange(_clock.NextWait!.Value, s_hour, TimeSpan.FromHours(3));
    }

    [Fact]
    public void Serve_OneFarOffTimer_WakesOncePerLevelAtMost()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        var firedAt = TimeSpan.Zero;
        var dueTime = TimeSpan.FromDays(12) + TimeSpan.FromMilliseconds(34_567);
        service.Schedule(_ => firedAt = clock.Elapsed, null, dueTime);

        clock.Advance(TimeSpan.FromDays(13));

        Assert.Equal(TimeSpan.FromDays(12) + TimeSpan.FromMilliseconds(34_570), firedAt);
        Assert.InRange(service.Driver.WakeUps, 1, TimerWheel.Levels);
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

    // The lost wake-up, with one interleaving in each test. A wake-up reads the clock twice. First it checks whether it
    // is early. Then it announces that it is awake, and reads the clock again to see what is due. It sets the clock
    // after it has announced the next wake-up.
    [Fact]
    public void LostWakeUp_ScheduledAfterTheDriverReadTheTime_IsWokenFor()
    {
        using var service = Services.OnThePool(_clock);
        service.Schedule(s_ignore, null, s_tick);
        service.Schedule(s_ignore, null, s_hour);
        OnceWhen(
            static (clock, action) => clock.Reading = action, () => service.Schedule(s_ignore, null, s_tick), skip: 1);

        _clock.SkipAndRing(s_tick);

        Assert.Equal((2L, s_tick), (service.Driver.NextWakeTick, _clock.NextWait));
    }

    [Fact]
    public void LostWakeUp_ScheduledByAnotherThreadAfterTheDriverReadTheTime_IsWokenFor()
    {
        // The other thread's collection is new, so the list of collections changes while the driver reads it.
        using var service = Services.OnThePool(_clock);
        service.Schedule(s_ignore, null, s_tick);
        service.Schedule(s_ignore, null, s_hour);
        OnceWhen(
            static (clock, action) => clock.Reading = action,
            () => Wait.ForThread(() => service.Schedule(s_ignore, null, s_tick)),
            skip: 1);

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

    [Fact]
    public void Dispose_ClockRingsAfterwards_NothingHappens()
    {
        var service = new TimerService(clock: _clock);
        service.Schedule(static _ => Assert.Fail("Dropped."), null, s_tick);
        service.Dispose();

        Assert.Null(_clock.NextWait);
        _clock.SkipAndRing(s_hour);
        service.Driver.Serve();

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

    [Theory]
    [InlineData(TimerDriverKind.Thread, false)]
    [InlineData(TimerDriverKind.Timer, false)]
    [InlineData(TimerDriverKind.Thread, true)]
    public async Task SystemClock_TimersOfManyThreads_AllFireOnce(TimerDriverKind driver, bool firesOnDriverThread)
    {
        const int Threads = 4;
        const int Timers = 2_000;
        await using var service = Services.WithSystemClock(driver, firesOnDriverThread);
        using var all = new CountdownEvent(Threads * Timers);
        var early = 0;
        var threads = Enumerable.Range(0, Threads).Select(number => new TestThread(() =>
        {
            var random = new Random(number);
            for (var i = 0; i < Timers; i++)
            {
                var dueTime = TimeSpan.FromMicroseconds(random.Next(200_000));
                var start = TimeProvider.System.GetTimestamp();
                service.Schedule(
                    _ =>
                    {
                        if (TimeProvider.System.GetElapsedTime(start) < dueTime)
                        {
                            Interlocked.Increment(ref early);
                        }

                        all.Signal();
                    },
                    null,
                    dueTime);
            }
        })).ToList();
        threads.ForEach(static thread => thread.Start());
        threads.ForEach(Wait.ForEnd);

        Wait.For(all, "timers fired");

        // Signal throws when it is called too often, which counts as failed.
        await service.DisposeAsync();
        Assert.Equal((0, 0L), (early, service.GetSnapshot().Failed));
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

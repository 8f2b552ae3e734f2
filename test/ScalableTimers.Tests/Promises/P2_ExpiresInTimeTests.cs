using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P2: a timer expires at most one resolution after the wake-up. After a pause the driver catches up. It skips no
/// timer, fires no period more than once (see the model of timers), and fires no new timer early.
/// </summary>
public class P2_ExpiresInTimeTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    [InlineData(1_000)]
    public void Schedule_AnyDueTime_FiresWithinOneResolution(int resolution)
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(
            new TimerServiceOptions { Resolution = TimeSpan.FromMilliseconds(resolution) }, clock);
        var random = new Random(resolution);
        var latest = TimeSpan.Zero;
        for (var i = 0; i < 2_000; i++)
        {
            var due = clock.Elapsed + TimeSpan.FromTicks(random.NextInt64(1L << random.Next(1, 42)));
            service.Schedule(
                _ => latest = TimeSpan.FromTicks(Math.Max(latest.Ticks, (clock.Elapsed - due).Ticks)),
                null,
                due - clock.Elapsed);
            clock.Advance(TimeSpan.FromTicks(random.Next(1_000_000)));
        }

        clock.Advance(TimeSpan.FromDays(6));

        Assert.Equal(0, service.GetSnapshot().Pending);
        Assert.InRange(latest, TimeSpan.FromTicks(1), TimeSpan.FromMilliseconds(resolution) - TimeSpan.FromTicks(1));
    }

    [Fact]
    public void Wake_AfterAPause_FiresAllThatWasDueOnceAndNothingElse()
    {
        var clock = new HandClock();
        using var service = new TimerService(new(), clock: clock);
        var fired = new List<int>();
        for (var i = 0; i < 1_000; i++)
        {
            service.Schedule(state => fired.Add((int)state!), i, i * s_tick);
        }

        service.Schedule(static _ => Assert.Fail("Not due."), null, s_hour + s_tick);

        clock.SkipAndRing(s_hour);

        Assert.Equal(Enumerable.Range(0, 1_000), fired);
        Assert.Equal(1, service.Driver.WakeUps);
        Assert.Equal(s_tick, clock.NextWait);
    }

    [Fact]
    public void Wake_AfterAPause_TimersAddedMeanwhileAreNotEarly()
    {
        var clock = new HandClock();
        using var service = new TimerService(new(), clock: clock);
        var fired = new List<string>();
        for (var i = 1; i <= 3; i++)
        {
            service.Schedule(
                _ =>
                {
                    fired.Add("overdue");
                    service.Schedule(_ => fired.Add("new"), null, s_tick);
                },
                null,
                i * s_tick);
        }

        clock.SkipAndRing(s_hour);
        Assert.Equal(["overdue", "overdue", "overdue"], fired);
        clock.SkipAndRing(s_tick);

        Assert.Equal(["overdue", "overdue", "overdue", "new", "new", "new"], fired);
    }

    [Fact]
    public void Schedule_WheelIsBehindTheClock_CountsFromNow()
    {
        // The driver slept, so the wheel's tick is an hour old.
        var clock = new HandClock();
        using var service = new TimerService(new(), clock: clock);
        service.Schedule(static _ => { }, null, 10 * s_hour);
        clock.Skip(s_hour);
        var fired = 0;

        service.Schedule(_ => fired++, null, 3 * s_tick);
        Assert.Equal(3 * s_tick, clock.NextWait);
        clock.SkipAndRing((3 * s_tick) - TimeSpan.FromTicks(1));
        Assert.Equal(0, fired);
        clock.SkipAndRing(TimeSpan.FromTicks(1));

        Assert.Equal(1, fired);
    }

    [Fact]
    public void Schedule_AfterATimerOfManyDays_IsStillExact()
    {
        var clock = new ManualTimeProvider();

        // The driver waits for the timer in slices of forty days. Each slice ends before the timer is due.
        using var fine = new TimerService(
            new TimerServiceOptions { Resolution = TimeSpan.FromMilliseconds(1.5) }, clock);
        fine.Schedule(static _ => { }, null, TimeSpan.FromDays(100));
        clock.Advance(TimeSpan.FromDays(100) + TimeSpan.FromSeconds(1));
        var start = clock.Elapsed;
        var fired = new List<TimeSpan>();

        for (var i = 1; i <= 3; i++)
        {
            fine.Schedule(_ => fired.Add(clock.Elapsed - start), null, i * TimeSpan.FromMilliseconds(1.5));
        }

        clock.Advance(TimeSpan.FromSeconds(1));

        // A hundred days and a second end half a millisecond before the next tick of 1.5 milliseconds.
        Assert.Equal(
            [TimeSpan.FromMilliseconds(2), TimeSpan.FromMilliseconds(3.5), TimeSpan.FromMilliseconds(5)], fired);
    }
}

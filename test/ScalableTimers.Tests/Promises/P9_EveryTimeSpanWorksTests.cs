using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P9: every <see cref="TimeSpan"/> works: zero, negative, infinite, the longest, exact multiples of every level.
/// </summary>
public sealed class P9_EveryTimeSpanWorksTests : InVirtualTime
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    /// <summary>Multiples of each level's width and period that a due time can have.</summary>
    public static TheoryData<TimeSpan> MultiplesOfLevels()
    {
        var data = new TheoryData<TimeSpan>();
        var width = s_tick;
        for (var level = 1; level <= 7; level++)
        {
            width *= 64;
            data.Add(width);
            data.Add(width - s_tick);
            data.Add(width + s_tick);
            data.Add(width * 3);
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(MultiplesOfLevels))]
    public void Schedule_MultipleOfALevel_FiresExactlyThen(TimeSpan dueTime)
    {
        foreach (var start in (TimeSpan[])[TimeSpan.Zero, s_tick, 63 * s_tick])
        {
            var clock = new ManualTimeProvider();
            using var service = new TimerService(new(), clock: clock);
            clock.Advance(start);
            var firedAt = TimeSpan.Zero;
            service.Schedule(_ => firedAt = clock.Elapsed, null, dueTime);

            clock.Advance(dueTime - TimeSpan.FromTicks(1));
            Assert.Equal(TimeSpan.Zero, firedAt);
            clock.Advance(TimeSpan.FromTicks(1));

            Assert.Equal(start + dueTime, firedAt);
        }
    }

    [Fact]
    public void Zero_IsOverOrFiresAsSoonAsPossible()
    {
        var fired = 0;
        Assert.True(Service.Delay(TimeSpan.Zero).IsCompletedSuccessfully);
        Assert.True(Service.TryDelay(TimeSpan.Zero).Read());
        Service.Schedule(_ => fired++, null, TimeSpan.Zero);

        Clock.Advance(TimeSpan.Zero);

        Assert.Equal(1, fired);
    }

    [Theory]
    [InlineData(-20_000)]
    [InlineData(-20_001)]
    [InlineData(-100_000)]
    [InlineData(long.MinValue)]
    public void Negative_ThrowsAtOnceWhatTaskDelayThrows(long duration)
    {
        var dueTime = new TimeSpan(duration);
        var expected = Assert.Throws<ArgumentOutOfRangeException>(() => { _ = Task.Delay(dueTime); });

        Assert.IsType(expected.GetType(), Record.Exception(() => { _ = Service.Delay(dueTime); }));
        Assert.IsType(expected.GetType(), Record.Exception(() => { _ = Service.TryDelay(dueTime); }));
        Assert.IsType(
            expected.GetType(), Record.Exception(() => { _ = Service.Schedule(static _ => { }, null, dueTime); }));
        Assert.IsType(expected.GetType(), Record.Exception(() => { _ = default(ScheduledTimer).Reschedule(dueTime); }));
        Assert.IsType(expected.GetType(), Record.Exception(() => { _ = Service.GetTimeoutToken(dueTime); }));
        Assert.Equal(0, Service.GetSnapshot().Scheduled);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(-9_999)]
    public void Negative_LessThanAMillisecond_IsZeroAsForTaskDelay(long duration)
    {
        var dueTime = new TimeSpan(duration);

        Assert.True(Task.Delay(dueTime, TestContext.Current.CancellationToken).IsCompletedSuccessfully);
        Assert.True(Service.Delay(dueTime).IsCompletedSuccessfully);
    }

    [Theory]
    [InlineData(-10_000)]
    [InlineData(-10_001)]
    [InlineData(-19_999)]
    public void Negative_WholeMillisecondsAreMinusOne_IsInfinite(long duration)
    {
        var dueTime = new TimeSpan(duration);
        using var source = new CancellationTokenSource();
        var theirs = Task.Delay(dueTime, source.Token);
        var ours = Service.TryDelay(dueTime, source.Token);

        Clock.Advance(TimeSpan.FromDays(10_000));

        Assert.Equal((false, false), (theirs.IsCompleted, ours.IsCompleted));
        source.Cancel();
        Assert.False(ours.Read());
    }

    [Fact]
    public void MaxValue_IsPendingForAThousandYears()
    {
        Clock.Advance(TimeSpan.FromDays(1));
        var delay = Service.TryDelay(TimeSpan.MaxValue);
        var timer = Service.Schedule(static _ => Assert.Fail("Not due."), null, TimeSpan.MaxValue);

        Clock.Advance(TimeSpan.FromDays(365 * 1_000));

        Assert.False(delay.IsCompleted);
        Assert.True(timer.Cancel());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    [InlineData(1_000)]
    public async Task MaxValue_OnTheSystemClockAtAnyResolution_IsPending(int resolution)
    {
        await using var service = new TimerService(
            new TimerServiceOptions { Resolution = TimeSpan.FromMilliseconds(resolution) });
        var first = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var timers = (
            (TimeSpan[])
            [
                TimeSpan.MaxValue,
                TimeSpan.MaxValue - TimeSpan.FromTicks(1),
                TimeSpan.FromDays(365 * 300),
                TimeSpan.FromDays(365 * 100)
            ])
            .Select(dueTime => service.Schedule(static _ => Assert.Fail("Not due."), null, dueTime)).ToList();

        // Once the driver has served a near timer, it has looked at all the others.
        service.Schedule(_ => first.SetResult(), null, TimeSpan.FromMilliseconds(1));
        await Wait.For(first.Task, "the near timer");

        Assert.Equal(4, service.GetSnapshot().Pending);
        Assert.All(timers, static timer => Assert.True(timer.Cancel()));
    }
}

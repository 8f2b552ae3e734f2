using ScalableTimers.Testing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Collections;

public sealed class PendingLimitTests
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly ManualTimeProvider _clock = new();

    [Theory]
    [InlineData(FiringMode.InOrder, 1)]
    [InlineData(FiringMode.InOrder, 300)]
    [InlineData(FiringMode.ThreadPool, 1)]
    [InlineData(FiringMode.ThreadPool, 64)]
    [InlineData(FiringMode.ThreadPool, 65)]
    [InlineData(FiringMode.ThreadPool, 1_000)]
    public void Schedule_OnOneThread_IsRefusedExactlyAtTheLimit(FiringMode firing, int limit)
    {
        using var service = New(limit, firing);

        Assert.Equal(limit, ScheduleUntilRefused(service));
        Assert.Equal((limit, 1L), (service.GetSnapshot().Pending, service.GetSnapshot().Refused));
    }

    // Calibrated by looking only where no nearer deadline has to be announced: nothing was refused.
    [Fact]
    public void Schedule_EachTimerIsNearerThanAllBefore_IsRefusedAtTheLimit()
    {
        using var service = New(200);

        for (var i = 0; i < 200; i++)
        {
            service.Schedule(static _ => { }, null, s_hour - TimeSpan.FromSeconds(i));
        }

        Assert.Throws<TooManyTimersException>(() => service.Schedule(static _ => { }, null, TimeSpan.FromSeconds(1)));
    }

    // Calibrated by looking when the count is a multiple of 64: another thread always made it one.
    [Fact]
    public void Schedule_AnotherThreadMovesATimerEachTime_IsRefusedAtTheLimit()
    {
        using var service = New(200);
        var moved = service.Schedule(static _ => { }, null, s_hour);
        service.Schedule(static _ => { }, null, s_hour);

        var scheduled = 2 + ScheduleUntilRefused(service, () => Wait.ForThread(() => moved.Reschedule(s_hour)));

        Assert.Equal(200, scheduled);
    }

    [Fact]
    public void Schedule_TimersHaveEnded_IsNotRefused()
    {
        using var service = New(100);
        var timers = new List<ScheduledTimer>();
        for (var i = 0; i < 100; i++)
        {
            timers.Add(service.Schedule(static _ => { }, null, s_hour));
        }

        Assert.Throws<TooManyTimersException>(() => service.Schedule(static _ => { }, null, s_hour));
        timers.ForEach(static timer => timer.Cancel());

        Assert.Equal(100, ScheduleUntilRefused(service));
        _clock.Advance(s_hour);
        Assert.Equal(100, ScheduleUntilRefused(service));
    }

    [Fact]
    public void Schedule_OnSeveralThreads_TheLimitIsExceededBySixtyFourForEachFurtherOne()
    {
        const int Threads = 4;
        using var service = New(1_000);
        var threads = new List<TestThread>();
        using var begun = new CountdownEvent(Threads);
        using var go = new ManualResetEventSlim();
        for (var i = 0; i < Threads; i++)
        {
            var thread = new TestThread(() =>
            {
                service.Schedule(static _ => { }, null, s_hour);
                begun.Signal();
                Wait.For(go, "all have begun");
                ScheduleUntilRefused(service);
            });
            thread.Start();
            threads.Add(thread);
        }

        Wait.For(begun, "a timer of each thread");
        go.Set();
        threads.ForEach(static thread => thread.End());

        Assert.InRange(service.GetSnapshot().Pending, 1_000, 1_000 + ((Threads - 1) * 64));
        Assert.Equal(Threads, service.GetSnapshot().Refused);
    }

    [Fact]
    public async Task Refusal_NamesServiceLimitAndCount()
    {
        using var service = New(1);
        service.Schedule(static _ => { }, null, s_hour);

        var error = await Assert.ThrowsAsync<TooManyTimersException>(async () => await service.Delay(s_hour));

        Assert.Equal((1L, 1L), (error.Limit, error.Pending));
        Assert.Equal(
            "The timer service \"limited\" has refused a timer: 1 are pending, and ScalableTimerOptions.MaxPending is "
            + "1. TimerService.GetPending tells which code made them.",
            error.Message);
    }

    [Fact]
    public async Task Limit_Reached_EveryCallThatMakesATimerIsRefusedAndNothingElse()
    {
        using var service = New(2);
        var scheduled = service.Schedule(static _ => { }, null, s_hour);
        using var timer = service.CreateTimer(static _ => { }, null, s_hour, s_hour);

        Refuses(() => service.Delay(s_hour).AsTask());
        Refuses(() => service.TryDelay(s_hour).AsTask());
        Refuses(() => service.Schedule(static _ => { }, null, s_hour));
        Refuses(() => service.CreateTimer(static _ => { }, null, s_hour, s_hour));
        Refuses(() => service.TimeProvider.CreateTimer(static _ => { }, null, s_hour, s_hour));
        Refuses(() => Task.Delay(s_hour, service.TimeProvider, TestContext.Current.CancellationToken));
        Refuses(() => service.GetTimeoutToken(s_hour));
        Refuses(() => service.RentTimeout(s_hour).Dispose());
        Assert.Equal(8, service.GetSnapshot().Refused);

        Assert.True(scheduled.Reschedule(2 * s_hour));
        Assert.True(timer.Change(s_hour, s_hour));
        await service.Delay(TimeSpan.Zero, TestContext.Current.CancellationToken);
        var detached = service.BeginDetachedDelay(s_hour, default);
        _clock.Advance(s_hour);
        Assert.True(await detached);
        Assert.Equal((2L, 8L), (service.GetSnapshot().Pending, service.GetSnapshot().Refused));

        static void Refuses(Action call) => Assert.Throws<TooManyTimersException>(call);
    }

    // The second use of a timeout starts the rounds that create tokens in advance. They are the service's own affair.
    [Fact]
    public void GetTimeoutToken_NoPlaceForTokensInAdvance_CallersGetTheirsAndNoCallbackFails()
    {
        var log = new CollectingLogger();
        using var service = new TimerService(new() { MaxPending = 1 }, _clock, log);
        var second = TimeSpan.FromSeconds(1);

        for (var i = 0; i < 2; i++)
        {
            var token = service.GetTimeoutToken(second);
            Assert.Equal((false, 0), (token.IsCancellationRequested, service.GetSnapshot().Refused));
            _clock.Advance(2 * second);
            Assert.True(token.IsCancellationRequested);
        }

        _clock.Advance(2 * second);
        Assert.NotEqual(0, service.GetSnapshot().Refused);
        Assert.Equal(0, service.GetSnapshot().Failed);
        Assert.Empty(log.Entries);
    }

    [Fact]
    public void Schedule_AnotherServiceInBetween_IsRefusedAtTheLimit()
    {
        using var service = New(150);
        using var other = new TimerService(clock: new HandClock());

        Assert.Equal(150, ScheduleUntilRefused(service, () => other.Schedule(static _ => { }, null, s_hour)));
    }

    [Fact]
    public void Schedule_AfterDispose_ThrowsThatItIsDisposed()
    {
        var service = New(1);
        service.Schedule(static _ => { }, null, s_hour);
        service.Dispose();

        Assert.Throws<ObjectDisposedException>(() => service.Schedule(static _ => { }, null, s_hour));
    }

    private static int ScheduleUntilRefused(TimerService service, Action? between = null)
    {
        for (var i = 0; i < 2_000; i++)
        {
            try
            {
                service.Schedule(static _ => { }, null, s_hour);
            }
            catch (TooManyTimersException)
            {
                return i;
            }

            between?.Invoke();
        }

        return int.MaxValue;
    }

    private TimerService New(long limit, FiringMode firing = FiringMode.ThreadPool) =>
        new(new() { MaxPending = limit, Firing = firing, Name = "limited" }, _clock);
}

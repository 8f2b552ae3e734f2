using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests;

/// <summary>The .NET types that are built on a time provider, in virtual time.</summary>
public sealed class ScalableTimeProviderTests : IDisposable
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _service;

    public ScalableTimeProviderTests() => _service = new TimerService(clock: _clock);

    private TimeProvider Provider => _service.TimeProvider;

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Time_IsTheClocks()
    {
        _clock.Advance(s_second);

        Assert.Equal(_clock.GetUtcNow(), Provider.GetUtcNow());
        Assert.Equal(_clock.GetTimestamp(), Provider.GetTimestamp());
        Assert.Equal(_clock.TimestampFrequency, Provider.TimestampFrequency);
        Assert.Same(_clock.LocalTimeZone, Provider.LocalTimeZone);
        Assert.Equal(s_second, Provider.GetElapsedTime(0));
    }

    [Fact]
    public void Time_OfTheSystem_IsTheSystems()
    {
        using var service = new TimerService();

        Assert.Equal(TimeProvider.System.TimestampFrequency, service.TimeProvider.TimestampFrequency);
        Assert.Equal(TimeProvider.System.LocalTimeZone, service.TimeProvider.LocalTimeZone);
        var before = TimeProvider.System.GetTimestamp();
        Assert.InRange(service.TimeProvider.GetTimestamp(), before, TimeProvider.System.GetTimestamp());
    }

    [Fact]
    public void TimeProvider_OfAService_IsAScalableTimeProvider() => Assert.IsType<ScalableTimeProvider>(Provider);

    [Fact]
    public async Task TaskDelay_CompletesAtItsDueTime()
    {
        var delay = Task.Delay(s_second, Provider, TestContext.Current.CancellationToken);

        _clock.Advance(s_second - TimeSpan.FromTicks(1));
        Assert.False(delay.IsCompleted);
        _clock.Advance(TimeSpan.FromTicks(1));

        Assert.True(delay.IsCompletedSuccessfully);
        await delay;
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public async Task TaskDelay_Cancelled_IsCancelledAndLeavesNoTimer()
    {
        using var source = new CancellationTokenSource();
        var delay = Task.Delay(s_second, Provider, source.Token);

        await source.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => delay);
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public void CancellationTokenSource_WithTimeout_IsCancelledThen()
    {
        using var source = new CancellationTokenSource(s_second, Provider);

        _clock.Advance(s_second - TimeSpan.FromTicks(1));
        Assert.False(source.IsCancellationRequested);
        _clock.Advance(TimeSpan.FromTicks(1));

        Assert.True(source.IsCancellationRequested);
    }

    [Fact]
    public void CancellationTokenSource_CancelAfterAgain_MovesTheTimeout()
    {
        using var source = new CancellationTokenSource(s_second, Provider);
        source.CancelAfter(3 * s_second);

        _clock.Advance(2 * s_second);
        Assert.False(source.IsCancellationRequested);
        _clock.Advance(s_second);

        Assert.True(source.IsCancellationRequested);
    }

    [Fact]
    public void CancellationTokenSource_CancelAfterInfinite_StopsTheTimer()
    {
        using var source = new CancellationTokenSource(s_second, Provider);
        source.CancelAfter(Timeout.InfiniteTimeSpan);

        _clock.Advance(TimeSpan.FromDays(1));

        Assert.False(source.IsCancellationRequested);
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public void CancellationTokenSource_Disposed_LeavesNoTimer()
    {
        new CancellationTokenSource(s_second, Provider).Dispose();

        Assert.Equal(0, _service.GetSnapshot().Pending);
        _clock.Advance(s_second);
    }

    [Fact]
    public async Task WaitAsync_TaskIsSlower_TimesOut()
    {
        var never = new TaskCompletionSource();
        var waiting = never.Task.WaitAsync(s_second, Provider, TestContext.Current.CancellationToken);

        _clock.Advance(s_second);

        await Assert.ThrowsAsync<TimeoutException>(() => Wait.For(waiting, "the time-out"));
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public async Task WaitAsync_TaskIsFaster_CompletesAndLeavesNoTimer()
    {
        var soon = new TaskCompletionSource<int>();
        var waiting = soon.Task.WaitAsync(s_second, Provider, TestContext.Current.CancellationToken);
        Assert.Equal(1, _service.GetSnapshot().Pending);

        soon.SetResult(5);

        Assert.Equal(5, await waiting);
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public async Task PeriodicTimer_TicksOncePerPeriod()
    {
        using var timer = new PeriodicTimer(s_second, Provider);
        for (var i = 1; i <= 10; i++)
        {
            var next = timer.WaitForNextTickAsync(TestContext.Current.CancellationToken);
            Assert.False(next.IsCompleted);
            _clock.Advance(s_second);
            Assert.True(next.IsCompleted);
            Assert.True(await next);
        }

        Assert.Equal(10, _service.GetSnapshot().Fired);
    }

    [Fact]
    public async Task PeriodicTimer_PeriodChanged_FollowsTheNewOne()
    {
        using var timer = new PeriodicTimer(s_second, Provider);
        timer.Period = 5 * s_second;
        var next = timer.WaitForNextTickAsync(TestContext.Current.CancellationToken);

        _clock.Advance(4 * s_second);
        Assert.False(next.IsCompleted);
        _clock.Advance(s_second);

        Assert.True(await next);
    }

    [Fact]
    public async Task PeriodicTimer_Disposed_EndsTheWaitAndLeavesNoTimer()
    {
        var timer = new PeriodicTimer(s_second, Provider);
        var next = timer.WaitForNextTickAsync(TestContext.Current.CancellationToken);

        timer.Dispose();

        Assert.False(await next);
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public void Dispose_PendingTimers_GoOnByTheClock()
    {
        var oneShot = Task.Delay(s_second, Provider, TestContext.Current.CancellationToken);
        var fired = new List<TimeSpan>();
        using var periodic = Provider.CreateTimer(
            _ => fired.Add(_clock.Elapsed), null, TimeSpan.FromMilliseconds(500), s_second);
        using var stopped = Provider.CreateTimer(
            static _ => Assert.Fail("Stopped."), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _clock.Advance(TimeSpan.FromMilliseconds(600));

        _service.Dispose();
        _clock.Advance(TimeSpan.FromMilliseconds(399));
        Assert.False(oneShot.IsCompleted);
        _clock.Advance(TimeSpan.FromMilliseconds(2_001));

        Assert.True(oneShot.IsCompletedSuccessfully);
        Assert.Equal([500, 1_500, 2_500], fired.Select(static elapsed => (int)elapsed.TotalMilliseconds));
        periodic.Dispose();
        Assert.Equal(0, _clock.ArmedTimers);
    }

    [Fact]
    public void Dispose_PendingTimers_CanStillBeChangedAndDisposed()
    {
        var fired = new List<TimeSpan>();
        var moved = Provider.CreateTimer(_ => fired.Add(_clock.Elapsed), null, s_second, Timeout.InfiniteTimeSpan);
        var woken = Provider.CreateTimer(
            _ => fired.Add(_clock.Elapsed), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        var disposed = Provider.CreateTimer(static _ => Assert.Fail("Disposed."), null, s_second, s_second);
        _service.Dispose();

        Assert.True(moved.Change(2 * s_second, Timeout.InfiniteTimeSpan));
        Assert.True(woken.Change(3 * s_second, s_second));
        disposed.Dispose();
        Assert.False(disposed.Change(s_second, s_second));
        _clock.Advance(4 * s_second);

        Assert.Equal([2 * s_second, 3 * s_second, 4 * s_second], fired);
        Assert.True(woken.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan));
        Assert.Equal(0, _clock.ArmedTimers);
    }

    [Fact]
    public void Dispose_ClockRingsEarly_HandedOverTimersAreNotEarly()
    {
        var clock = new HandClock();
        var service = new TimerService(clock: clock);
        var fired = 0;
        using var timer = service.TimeProvider.CreateTimer(_ => fired++, null, s_second, Timeout.InfiniteTimeSpan);
        service.Dispose();

        clock.SkipAndRing(s_second - TimeSpan.FromMilliseconds(9));
        Assert.Equal((0, TimeSpan.FromMilliseconds(9)), (fired, clock.NextWait));
        clock.SkipAndRing(TimeSpan.FromMilliseconds(9));

        Assert.Equal(1, fired);
        Assert.Null(clock.NextWait);
    }

    [Fact]
    public void CreateTimer_Disposed_IsDrivenByTheClock()
    {
        _service.Dispose();
        var fired = 0;

        using var timer = Provider.CreateTimer(
            _ => fired++, null, TimeSpan.FromMilliseconds(10), TimeSpan.FromMilliseconds(10));
        _clock.Advance(TimeSpan.FromMilliseconds(29));
        Assert.Equal((2, 1), (fired, _clock.ArmedTimers));

        timer.Dispose();
        Assert.Equal(0, _clock.ArmedTimers);
    }

    [Fact]
    public async Task DisposeAsync_OfAHandedOverTimer_WaitsForItsCallback()
    {
        var timer = Provider.CreateTimer(static _ => { }, null, s_second, s_second);
        _service.Dispose();
        _clock.Advance(s_second);

        await timer.DisposeAsync();

        Assert.Equal(0, _clock.ArmedTimers);
    }

    [Fact]
    public void Dispose_HandedOverTimer_KeepsItsExecutionContext()
    {
        var local = new AsyncLocal<string?> { Value = "creation" };
        string? seen = null;
        using var timer = Provider.CreateTimer(_ => seen = local.Value, null, s_second, Timeout.InfiniteTimeSpan);
        local.Value = "disposal";
        _service.Dispose();
        local.Value = "advance";

        _clock.Advance(s_second);

        Assert.Equal("creation", seen);
    }
}

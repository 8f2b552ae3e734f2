using Orleans.Timers.Scalable.Transactions.Confirmation;
using ScalableTimers;
using ScalableTimers.Tests;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// The delays behind Orleans' <c>ITimerManager</c>, which <see cref="ScalableTimerManagerTests"/> covers.
/// </summary>
public sealed class DetachedDelayTests : IDisposable
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _service;

    public DetachedDelayTests() => _service = new TimerService(clock: _clock);

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Begin_TimePasses_IsTrueExactlyThen()
    {
        var delay = Begin(s_second, CancellationToken.None);
        _clock.Advance(s_second - s_instant);
        Assert.False(delay.IsCompleted);

        _clock.Advance(s_instant);

        AssertIs(true, delay);
    }

    [Fact]
    public void Begin_Cancelled_IsFalseAtOnceAndLeavesNothing()
    {
        using var source = new CancellationTokenSource();
        var delay = Begin(s_second, source.Token);

        source.Cancel();

        AssertIs(false, delay);
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    // Seen to fail without RunContinuationsAsynchronously: when Cancel returns, the continuation has already run on the
    // cancelling thread.
    [Fact]
    public async Task Begin_Cancelled_ContinuationDoesNotRunInsideCancel()
    {
        using var service = new TimerService(null, _clock, logger: null, meterFactory: null, firesInOrder: false);
        using var source = new CancellationTokenSource();
        var delay = DetachedDelay.Begin(service, s_second, source.Token);
        using var cancelled = new ManualResetEventSlim();
        var follower = delay.ContinueWith(
            _ => cancelled.Wait(HangGuard.Limit),
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);

        source.Cancel();
        Assert.True(delay.IsCompleted);
        cancelled.Set();

        Assert.True(await follower.Guarded("what follows has run"));
    }

    [Fact]
    public async Task Begin_ServiceIsStopped_GoesOn()
    {
        var delay = Begin(s_second, CancellationToken.None);

        await _service.StopAsync();
        Assert.False(delay.IsCompleted);
        _clock.Advance(s_second);

        AssertIs(true, delay);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    public void Begin_ServiceIsDisposed_EndsOnTimeByTheClock(int days)
    {
        var dueTime = TimeSpan.FromDays(days);
        var before = Begin(dueTime, CancellationToken.None);
        _clock.Advance(s_second);
        _service.Dispose();
        var after = Begin(dueTime, CancellationToken.None);

        _clock.Advance(dueTime - s_second - s_instant);
        Assert.False(before.IsCompleted);
        _clock.Advance(s_instant);
        AssertIs(true, before);
        Assert.False(after.IsCompleted);
        _clock.Advance(s_second);
        AssertIs(true, after);
    }

    [Fact]
    public async Task Begin_ServiceIsDisposedAndThenItIsCancelled_IsFalse()
    {
        using var source = new CancellationTokenSource();
        var delay = Begin(s_second, source.Token);
        _service.Dispose();
        Assert.False(delay.IsCompleted);

        await source.CancelAsync();

        Assert.False(await delay.Guarded("the delay ends"));
    }

    [Fact]
    public void Begin_SteadyState_AllocatesTheTaskAndItsSource()
    {
        var clock = new HandClock();
        using var service = new TimerService(clock: clock);
        using var source = new CancellationTokenSource();
        var least = Allocations.Least(() =>
        {
            var delay = DetachedDelay.Begin(service, s_second, source.Token);
            clock.SkipAndRing(s_second);
            Assert.True(delay.IsCompletedSuccessfully);
        });

        // Orleans' own delay takes 144 bytes.
        Assert.InRange(least / Allocations.Operations, 1, 128);
    }

    private Task<bool> Begin(TimeSpan dueTime, CancellationToken token) =>
        DetachedDelay.Begin(_service, dueTime, token);

    private static void AssertIs(bool expected, Task<bool> delay)
    {
        Assert.True(delay.IsCompletedSuccessfully);
        Assert.Equal(expected, delay.GetAwaiter().GetResult());
    }
}

using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timers;

/// <summary>
/// The parts of Orleans' <c>ITimerManager</c>. The plugin's tests check its promises, and these tests check its parts.
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
        var delay = _service.BeginDetachedDelay(s_second, CancellationToken.None);
        _clock.Advance(s_second - s_instant);
        Assert.False(delay.IsCompleted);

        _clock.Advance(s_instant);

        AssertIs(true, delay);
    }

    [Fact]
    public void Begin_Cancelled_IsFalseAtOnceAndLeavesNothing()
    {
        using var source = new CancellationTokenSource();
        var delay = _service.BeginDetachedDelay(s_second, source.Token);

        source.Cancel();

        AssertIs(false, delay);
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    // Seen to fail without RunContinuationsAsynchronously: when Cancel returns, the continuation has already run on the
    // thread that cancels.
    [Fact]
    public async Task Begin_Cancelled_WhatFollowsDoesNotRunInsideTheCancellation()
    {
        using var service = Services.OnThePool(_clock);
        using var source = new CancellationTokenSource();
        var delay = service.BeginDetachedDelay(s_second, source.Token);
        using var cancelled = new ManualResetEventSlim();
        var follower = delay.ContinueWith(
            _ => cancelled.Wait(TimeSpan.FromSeconds(30)),
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);

        source.Cancel();
        Assert.True(delay.IsCompleted);
        cancelled.Set();

        Assert.True(await follower);
    }

    [Fact]
    public async Task Begin_ServiceIsStopped_GoesOn()
    {
        var delay = _service.BeginDetachedDelay(s_second, CancellationToken.None);

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
        var before = _service.BeginDetachedDelay(dueTime, CancellationToken.None);
        _clock.Advance(s_second);
        _service.Dispose();
        var after = _service.BeginDetachedDelay(dueTime, CancellationToken.None);

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
        var delay = _service.BeginDetachedDelay(s_second, source.Token);
        _service.Dispose();
        Assert.False(delay.IsCompleted);

        await source.CancelAsync();

        Assert.False(await Wait.For(delay, "the delay ends"));
    }

    [Fact]
    public void Begin_SteadyState_AllocatesTheTaskAndItsSource()
    {
        var clock = new HandClock();
        using var service = new TimerService(clock: clock);
        using var source = new CancellationTokenSource();
        var least = long.MaxValue;
        for (var round = 0; round < 8; round++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < 1_000; i++)
            {
                var delay = service.BeginDetachedDelay(s_second, source.Token);
                clock.SkipAndRing(s_second);
                Assert.True(delay.IsCompletedSuccessfully);
            }

            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        // Orleans' own delay takes 144 bytes.
        Assert.InRange(least / 1_000, 1, 128);
    }

    private static void AssertIs(bool expected, Task<bool> delay)
    {
        Assert.True(delay.IsCompletedSuccessfully);
        Assert.Equal(expected, delay.GetAwaiter().GetResult());
    }
}

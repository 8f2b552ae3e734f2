using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timers;

/// <summary>
/// The parts of Orleans' <c>ITimerManager</c>. The plugin's tests check its promises, and these tests check its parts.
/// </summary>
public sealed class DetachedDelayTests : InVirtualTime
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);

    [Fact]
    public void Begin_TimePasses_IsTrueExactlyThen()
    {
        var delay = Service.BeginDetachedDelay(s_second, CancellationToken.None);
        Clock.Advance(s_second - s_instant);
        Assert.False(delay.IsCompleted);

        Clock.Advance(s_instant);

        AssertIs(true, delay);
    }

    [Fact]
    public void Begin_Cancelled_IsFalseAtOnceAndLeavesNothing()
    {
        using var source = new CancellationTokenSource();
        var delay = Service.BeginDetachedDelay(s_second, source.Token);

        source.Cancel();

        AssertIs(false, delay);
        Assert.Equal(0, Service.GetSnapshot().Pending);
    }

    // Seen to fail without RunContinuationsAsynchronously: when Cancel returns, the continuation has already run on the
    // thread that cancels.
    [Fact]
    public async Task Begin_Cancelled_WhatFollowsDoesNotRunInsideTheCancellation()
    {
        using var service = Services.OnThePool(Clock);
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
        var delay = Service.BeginDetachedDelay(s_second, CancellationToken.None);

        await Service.StopAsync();
        Assert.False(delay.IsCompleted);
        Clock.Advance(s_second);

        AssertIs(true, delay);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    public void Begin_ServiceIsDisposed_EndsOnTimeByTheClock(int days)
    {
        var dueTime = TimeSpan.FromDays(days);
        var before = Service.BeginDetachedDelay(dueTime, CancellationToken.None);
        Clock.Advance(s_second);
        Service.Dispose();
        var after = Service.BeginDetachedDelay(dueTime, CancellationToken.None);

        Clock.Advance(dueTime - s_second - s_instant);
        Assert.False(before.IsCompleted);
        Clock.Advance(s_instant);
        AssertIs(true, before);
        Assert.False(after.IsCompleted);
        Clock.Advance(s_second);
        AssertIs(true, after);
    }

    [Fact]
    public async Task Begin_ServiceIsDisposedAndThenItIsCancelled_IsFalse()
    {
        using var source = new CancellationTokenSource();
        var delay = Service.BeginDetachedDelay(s_second, source.Token);
        Service.Dispose();
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
        var least = Allocations.Least(() =>
        {
            var delay = service.BeginDetachedDelay(s_second, source.Token);
            clock.SkipAndRing(s_second);
            Assert.True(delay.IsCompletedSuccessfully);
        });

        // Orleans' own delay takes 144 bytes.
        Assert.InRange(least / Allocations.Operations, 1, 128);
    }

    private static void AssertIs(bool expected, Task<bool> delay)
    {
        Assert.True(delay.IsCompletedSuccessfully);
        Assert.Equal(expected, delay.GetAwaiter().GetResult());
    }
}

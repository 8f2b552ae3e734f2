using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>
/// microsoft/reverse-proxy #876: a token source was returned to its pool while the callback that cancels it was already
/// queued. The callback then cancelled the next user.
/// </summary>
public class Yarp876_PooledTokenSourceTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    [Fact]
    public async Task Cancel_CallbackIsQueuedAlready_SaysSoAndTheSourceIsNotPooled()
    {
        // The order on a server is: the timeout expires, the request ends, and then the pool runs the callback.
        var clock = new ManualTimeProvider();
        await using var service = Services.OnThePool(clock);
        using var blocked = new ManualResetEventSlim();
        using var cancelled = new ManualResetEventSlim();
        using var source = new CancellationTokenSource();
        var timer = service.Schedule(
            _ =>
            {
                Wait.For(blocked, "the request has ended");
                source.Cancel();
                cancelled.Set();
            },
            null,
            s_tick);
        clock.Advance(s_tick);

        var mayBePooled = timer.Cancel();
        Assert.False(source.IsCancellationRequested);
        blocked.Set();
        Wait.For(cancelled, "the queued callback ran");

        Assert.False(mayBePooled, "The source would have been cancelled in the hands of its next user.");
    }

    [Fact]
    public void Cancel_InTime_TheSourceIsNeverCancelled()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        using var source = new CancellationTokenSource();
        for (var use = 0; use < 1_000; use++)
        {
            var timer = service.Schedule(static source => ((CancellationTokenSource)source!).Cancel(), source, s_tick);
            clock.Advance(TimeSpan.FromMilliseconds(use % 10));
            if (!timer.Cancel())
            {
                Assert.True(source.IsCancellationRequested);
                return;
            }

            Assert.False(source.IsCancellationRequested);
        }
    }

    [Fact]
    public void TryReset_OfASourceWithATimerOfOurs_IsRefusedOnceItsTimerMayHaveFired()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        using var source = new CancellationTokenSource(s_tick, service.TimeProvider);
        clock.Advance(s_tick);

        Assert.True(source.IsCancellationRequested);
        Assert.False(source.TryReset());
    }
}

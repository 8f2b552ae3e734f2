namespace ScalableTimers.StressTests;

/// <summary>Services that are stopped and disposed at random moments under load.</summary>
public class StoppingTests
{
    // Seen to fail in Release on 2 cores, one run each. Each of these failed within 6 services:
    //   starting delays after StopAsync (phase not checked in DelayEntry.Start): 353 of 2,466 elapsed
    //   letting a thread join a disposed service (phase not checked in QueueRegistry.Join): NullReferenceException
    //   not arming a timer that is changed after disposal (TimerQueue.RescheduleAndExit): 3 of 608 never fired
    [Fact]
    public async Task StopAndDispose_AtRandomMomentsUnderLoad_EndEverythingOnce()
    {
        var lastRoundAt = Stress.LastRoundAt(1, 90);
        for (var round = 0; !StressTime.IsOver(lastRoundAt); round++)
        {
            await new ServiceRound(round).RunAsync();
        }
    }

    /// <remarks>The delay's awaiter belongs to a context that has been closed.</remarks>
    [Fact]
    public async Task Dispose_WhenAContinuationIsRefused_EndsTheTimersOfTheOtherThreads()
    {
        const string Phase = "a refused continuation";
        var service = Stress.NewService(TimerServiceDriver.Thread);
        var hour = TimeSpan.FromHours(1);
        ValueTask<bool> delay = default;
        CancellationToken token = default;
        StressThreads.Run(Phase, 1, _ =>
        {
            SynchronizationContext.SetSynchronizationContext(new ClosedContext());
            service.TryDelay(hour).GetAwaiter().OnCompleted(static () => { });
        });
        StressThreads.Run(Phase, 1, _ =>
        {
            delay = service.TryDelay(hour);
            token = service.GetTimeoutToken(TimeSpan.FromMilliseconds(1));
        });

        Assert.Throws<InvalidOperationException>(service.Dispose);

        Assert.False(await delay);
        Stress.WaitUntil(Phase, () => token.IsCancellationRequested, () => "the token was lost.");
    }

    private sealed class ClosedContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) =>
            throw new InvalidOperationException("The context has been closed.");
    }
}

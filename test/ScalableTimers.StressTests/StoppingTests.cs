namespace ScalableTimers.StressTests;

/// <summary>Services that are stopped and disposed at random moments under load.</summary>
public class StoppingTests
{
    // Calibrated in Release on 2 cores, one run each. Each of these failed within 6 services:
    //   starting delays after StopAsync (no look at the phase in DelayEntry.Start): 353 of 2,466 elapsed
    //   letting a thread join a disposed service (no look at the phase in QueueRegistry.Join): NullReferenceException
    //   not arming a timer that is changed after the disposal (TimerQueue.RescheduleAndExit): 3 of 608 never fired
    [Fact]
    public async Task StopAndDispose_AtRandomMomentsUnderLoad_EndEverythingOnce()
    {
        var rounds = 0;
        for (var lastRoundAt = Stress.LastRoundAt(1, 90); !StressTime.IsOver(lastRoundAt); rounds++)
        {
            await new ServiceRound(rounds).RunAsync();
        }

        Stress.Log($"{rounds:N0} services stopped and disposed under load");
    }

    // Calibrated in Release on 2 cores by leaving out the look at the phase in CallbackEntry.TryReschedule: in the
    // first seconds a callback stayed pending after the disposal.
    [Fact]
    public async Task Reschedule_WhileTheServiceIsDisposed_BringsNoCallbackBack()
    {
        const string Phase = "rescheduling and disposal";
        const int Timers = 2000;
        for (var lastRoundAt = Stress.LastRoundAt(1, 30); !StressTime.IsOver(lastRoundAt);)
        {
            var service = Stress.NewService(DriverChoice.Thread);
            var hour = TimeSpan.FromHours(1);
            var timers = new ScheduledTimer[Timers];
            StressThreads.Run(Phase, 2, thread =>
            {
                if (thread == 0)
                {
                    SpinWait.SpinUntil(() => timers[^1] != default);
                    service.Dispose();
                    return;
                }

                for (var i = 0; i < Timers; i++)
                {
                    timers[i] = service.Schedule(static _ => { }, null, hour);
                }

                for (var after = 0; after < 2; after += service.IsDisposed ? 1 : 0)
                {
                    Array.ForEach(timers, timer => timer.Reschedule(hour));
                }
            });
            await service.DisposeAsync();
            var counted = service.GetSnapshot();
            if (counted.Pending != 0 || counted.Dropped != Timers)
            {
                Stress.Fail(Phase, $"expected {Timers} to be dropped, {counted}");
            }
        }
    }

    /// <remarks>The delay's awaiter belongs to a context that has been closed.</remarks>
    [Fact]
    public async Task Dispose_WhenAContinuationIsRefused_EndsTheTimersOfTheOtherThreads()
    {
        const string Phase = "a refused continuation";
        var service = Stress.NewService(DriverChoice.Thread);
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

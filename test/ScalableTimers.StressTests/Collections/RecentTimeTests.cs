using ScalableTimers.Collections;
using ScalableTimers.StressTests.Driving;
using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Collections;

/// <summary>Threads that schedule without a pause and then pause, for as long as it takes the driver to look, or as the system lets them wait.</summary>
[Trait("Category", "Stress")]
public class RecentTimeTests
{
    private const int Threads = 8;
    private const int Burst = 200;

    private static readonly TimeSpan s_shortest = StressTime.Milliseconds(TimerCollection.LongDueTimeTicks);

    // Calibrated by not postponing in TimerCollection.PostponeNotedLocked: several early in 2 of 2 runs in Release on 2 cores.
    [Theory]
    [InlineData(DriverChoice.Thread)]
    [InlineData(DriverChoice.Timer)]
    [InlineData(DriverChoice.FiringThread)]
    public async Task Schedule_AfterPausesAmongBursts_NothingIsEarlyOrLost(DriverChoice driver)
    {
        var phase = $"pauses, driver {driver}";
        var ledger = new Ledger(phase);
        await using var service = Stress.NewService(driver);
        var lastRoundAt = Stress.LastRoundAt(1.5, 30);
        StressThreads.Run(phase, Threads, index =>
        {
            var random = Stress.NewRandom(index);
            var part = ledger.NewPart();
            while (!StressTime.IsOver(lastRoundAt))
            {
                OpenRecentTime(service);
                LeaveDelaysLinked(service);
                Pause(random);
                for (var i = random.Next(6); i >= 0; i--)
                {
                    part.Add(Ask(service, ledger, random));
                    if (random.Next(4) == 0)
                    {
                        Pause(random);
                    }
                }
            }
        });
        ledger.WaitForAll();
        await service.DisposeAsync();
        _ = ledger.Verify().Log();
    }

    private static void OpenRecentTime(TimerService service)
    {
        for (var i = 0; i < Burst; i++)
        {
            _ = service.Schedule(static _ => { }, null, s_shortest).Cancel();
        }
    }

    // What a thread cancels stays linked, and the next delay begins there without the lock.
    private static void LeaveDelaysLinked(TimerService service)
    {
        using var source = new CancellationTokenSource();
        var delays = Enumerable.Range(0, 8).Select(_ => service.TryDelay(s_shortest, source.Token)).ToList();
        source.Cancel();
        delays.ForEach(static delay => _ = delay.GetAwaiter().GetResult());
    }

    private static void Pause(Random random)
    {
        switch (random.Next(4))
        {
            case 0:
                Thread.Sleep(random.Next(3));
                break;
            case 1:
                Linger.Steps(random.Next(30_000));
                break;
            case 2:
                Thread.Yield();
                break;
        }
    }

    private static Tracked Ask(TimerService service, Ledger ledger, Random random)
    {
        var dueTime = s_shortest + StressTime.UpTo(4, random);
        switch (random.Next(3))
        {
            case 0:
                var delay = new TrackedDelay(ledger);
                delay.StartTry(service, dueTime, default);
                return delay;
            case 1:
                var rescheduled = new TrackedTimer(ledger);
                rescheduled.Schedule(service, TimeSpan.FromSeconds(10));
                _ = rescheduled.Reschedule(dueTime);
                return rescheduled;
            default:
                var timer = new TrackedTimer(ledger);
                timer.Schedule(service, dueTime);
                return timer;
        }
    }
}

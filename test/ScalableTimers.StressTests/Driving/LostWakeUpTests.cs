using System.Diagnostics;
using System.Runtime.CompilerServices;
using ScalableTimers.Queues;
using ScalableTimers.Wheel;

namespace ScalableTimers.StressTests.Driving;

/// <summary>
/// A single timer is scheduled while the driver goes to sleep, over and over. A wake-up that is lost shows as a hang.
/// </summary>
public class LostWakeUpTests
{
    private const int SpinsBeforeYield = 100;
    private const int LongestLinger = 1000;

    /// <summary>
    /// Each service has one scheduling thread at a time, because the wake-ups of a second one would hide a lost
    /// wake-up.
    /// </summary>
    [Theory]
    [InlineData(DriverChoice.Thread, false)]
    [InlineData(DriverChoice.Timer, false)]
    [InlineData(DriverChoice.Thread, true)]
    [InlineData(DriverChoice.FiringThread, false)]
    public void Schedule_SingleTimersBesideASleepingDriver_EachFires(DriverChoice driver, bool onFreshThreads)
    {
        const int Services = 3;
        var phase = $"single timers, driver {driver}, fresh threads: {onFreshThreads}";
        var lastRoundAt = Stress.LastRoundAt(0.3, 20);
        StressThreads.Run(phase, Services, thread =>
        {
            using var service = Stress.NewService(driver);
            using var fired = new ManualResetEventSlim();
            var random = Stress.NewRandom(thread);
            while (!StressTime.IsOver(lastRoundAt))
            {
                var dueTime = random.Next(2) == 0 ? TimeSpan.Zero : StressTime.UpTo(2, random);
                var spin = random.Next(2000);
                if (onFreshThreads)
                {
                    StressThreads.Run(phase, 1, _ => ScheduleAndWait(phase, service, fired, dueTime, spin));
                }
                else
                {
                    ScheduleAndWait(phase, service, fired, dueTime, spin);
                }
            }
        });
    }

    /// <remarks>
    /// The timer is cancelled at once, which leaves the driver a wake-up with nothing to take out: the driver takes
    /// some ten nanoseconds, always the same, from raising the queue's earliest tick to announcing the next
    /// wake-up. The scheduler waits for the first and publishes its next deadline at about the time of the second.
    /// </remarks>
    // Calibrated in Release on 2 busy cores. Without the fence in TimerQueue.AnnounceAndExit a timer was lost in round
    // 28,711, at full length. Without the second look in TimerDriver.Announce one was lost in round 16,311.
    [Fact]
    public async Task Schedule_WhileTheDriverAnnouncesItsNextWakeUp_IsNotMissed()
    {
        const string Phase = "announcing";
        using var clock = new AcceleratedClock();
        await using var service = Stress.NewService(clock);
        StressThreads.Run(Phase, 1, _ =>
        {
            Processors.Pin(1);
            ScheduleAndCancel(Phase, service, Stress.LastRoundAt(0.6, 30));
        });
    }

    /// <remarks>
    /// The driver has more to serve at every tick. It sets the alarm last, and the alarm may ring on another thread
    /// before the driver has finished. That wake-up is left to the running one, which must look once more.
    /// </remarks>
    // Calibrated in Release on 2 busy cores by forgetting, in TimerDriver.Serve, the wake-ups that came during the
    // pass: failed in 2 of 2 runs.
    [Fact]
    public async Task Serve_WakeUpsThatOverlap_NoneIsForgotten()
    {
        const string Phase = "overlapping";
        const int Timers = 2000;
        using var clock = new AcceleratedClock(ringers: 2, linger: 1000);
        await using var service = Stress.NewService(clock);
        var queue = QueueRegistry.Current(Queues(service));
        var random = Stress.NewRandom(0);
        var lastRoundAt = Stress.LastRoundAt(0.5, 30);
        while (!StressTime.IsOver(lastRoundAt))
        {
            for (var i = 0; i < Timers; i++)
            {
                _ = service.Schedule(static _ => { }, null, StressTime.UpTo(Timers, random));
            }

            Stress.WaitUntil(
                Phase, () => queue.EarliestTick == TimerWheel.Never, () => $"some are left, {service.GetSnapshot()}");
        }
    }

    /// <remarks>
    /// Two threads lower the driver's wake-up at once, and the later tick must not replace the earlier one.
    /// </remarks>
    // Calibrated in Release on 2 busy cores by a plain write instead of the compare-exchange in
    // TimerDriver.WakeNoLaterThan: the thread driver failed in 2 of 2 runs.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public void Schedule_NearAndFarTimersAtOnce_TheNearOneFires(DriverChoice driver)
    {
        var phase = $"near and far, driver {driver}";
        using var service = Stress.NewService(driver);
        using var fired = new ManualResetEventSlim();
        var farthest = TimeSpan.FromDays(1);
        var lastRoundAt = Stress.LastRoundAt(0.5, 20);
        var begun = 0;
        var isOver = false;
        using var together = new Barrier(2, _ => isOver = StressTime.IsOver(lastRoundAt));
        StressThreads.Run(phase, 2, thread =>
        {
            Processors.Pin(thread);
            var random = Stress.NewRandom(thread);
            for (var round = 1; !isOver; round++)
            {
                // The barrier releases its threads at different times. Spinning makes up for that.
                Interlocked.Increment(ref begun);
                while (Volatile.Read(ref begun) < 2 * round)
                {
                    Thread.SpinWait(1);
                }

                StressThreads.Linger(random.Next(LongestLinger));
                if (thread == 0)
                {
                    ScheduleAndWait(phase, service, fired, TimeSpan.Zero, spin: 0);
                }
                else
                {
                    // The deadline is nearer each time, so it is the earliest of its queue.
                    farthest -= TimeSpan.FromMilliseconds(200);
                    _ = service.Schedule(static _ => { }, null, farthest).Cancel();
                }

                together.SignalAndWait();
            }
        });
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_queues")]
    private static extern ref QueueRegistry Queues(TimerService service);

    private static void ScheduleAndWait(
        string phase, TimerService service, ManualResetEventSlim fired, TimeSpan dueTime, int spin)
    {
        fired.Reset();
        var notBefore = StressTime.In(dueTime);
        _ = service.Schedule(static state => ((ManualResetEventSlim)state!).Set(), fired, dueTime);
        var hasFired = fired.Wait(Stress.Guard);
        if (!hasFired || !StressTime.IsOver(notBefore))
        {
            var fault = hasFired ? "fired early" : $"has not fired after {Stress.Guard}";
            Stress.Fail(phase, $"a timer of {dueTime} {fault}, {service.GetSnapshot()}");
        }

        // Meanwhile the driver goes to sleep, is about to, or sleeps already.
        Thread.SpinWait(spin);
    }

    private static void ScheduleAndCancel(string phase, TimerService service, long lastRoundAt)
    {
        var queue = QueueRegistry.Current(Queues(service));
        var random = Stress.NewRandom(0);
        var round = 0;
        for (var askedAt = 0L; askedAt < lastRoundAt; round++)
        {
            _ = service.Schedule(static _ => { }, null, TimeSpan.Zero).Cancel();
            askedAt = Stopwatch.GetTimestamp();
            for (var spins = 1; service.Driver.NextWakeTick >= 0 && queue.EarliestTick != TimerWheel.Never; spins++)
            {
                // The clock's thread may be waiting for this processor.
                if (spins % SpinsBeforeYield == 0)
                {
                    Thread.Yield();
                }

                if (StressTime.IsOver(askedAt + StressTime.Units(Stress.Guard)))
                {
                    Stress.Fail(phase, $"in round {round} the driver has not looked, {service.GetSnapshot()}");
                }
            }

            StressThreads.Linger(random.Next(LongestLinger));
        }
    }
}

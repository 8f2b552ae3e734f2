namespace ScalableTimers.StressTests.Driving;

/// <summary>Schedules single timers just as the driver falls asleep. A lost wake-up shows as a hang.</summary>
public class LostWakeUpTests
{
    /// <summary>One scheduling thread per service at a time: the wake-ups of a second would hide a lost one.</summary>
    [Theory]
    [InlineData(TimerServiceDriver.Thread, false)]
    [InlineData(TimerServiceDriver.Timer, false)]
    [InlineData(TimerServiceDriver.Thread, true)]
    public void Schedule_SingleTimerWhileTheDriverSleeps_Fires(TimerServiceDriver driver, bool onFreshThreads)
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

        // The driver is about to sleep, falls asleep, or sleeps already.
        Thread.SpinWait(spin);
    }
}

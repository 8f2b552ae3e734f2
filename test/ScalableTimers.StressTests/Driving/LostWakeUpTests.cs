namespace ScalableTimers.StressTests.Driving;

/// <summary>
/// A single timer is scheduled while the driver goes to sleep, over and over. A wake-up that is lost shows as a hang.
/// </summary>
public class LostWakeUpTests
{
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
}

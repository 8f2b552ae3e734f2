using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Queues;

/// <summary>Cancelling and rescheduling from two threads within a tick of the deadline.</summary>
public class ExpiryRaceTests
{
    // Calibrated in Release on 2 cores by looking whether the entry is linked, instead of at its word, in
    // CallbackEntry.TryReschedule: 7 to 66 of 75,000 timers were early, with each driver.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public async Task CancelAndReschedule_WithinATickOfTheDeadline_EndEachTimerOnce(DriverChoice driver)
    {
        for (var round = 0; round < Stress.Choose(1, 30); round++)
        {
            var phase = $"round {round}, driver {driver}";
            var ledger = new Ledger(phase);
            await using var service = Stress.NewService(driver);
            Waves.Run(phase, round, size: 400, random => Start(service, ledger, random), Plan);
            ledger.WaitForAll();
            await service.DisposeAsync();
            ledger.Verify().AssertAgrees(service.GetSnapshot());
        }
    }

    private static TrackedTimer Start(TimerService service, Ledger ledger, Random random)
    {
        var timer = ledger.Add(new TrackedTimer(ledger));
        timer.Schedule(service, StressTime.UpTo(5, random));
        return timer;
    }

    private static void Plan(TimedActions actions, TrackedTimer mine, TrackedTimer other, Random random)
    {
        switch (random.Next(4))
        {
            case 0:
                actions.AddNear(mine.NotBefore, random, () => mine.Cancel());
                break;
            case 1:
                var dueTime = StressTime.UpTo(3, random);
                actions.AddNear(mine.NotBefore, random, () => mine.Reschedule(dueTime));
                break;
        }

        if (random.Next(2) == 0)
        {
            actions.AddNear(other.NotBefore, random, () => other.Cancel());
        }
    }
}

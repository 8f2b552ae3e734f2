using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>
/// Callbacks that block, among others of their batch.
/// </summary>
[Trait("Category", "Stress")]
public class CallbackTests
{
    // Calibrated by not queueing the next worker in FiringBatch.Execute: the first batch hung in 2 of 2 runs.
    // On the driver's thread, by not handing the batch on in FiringWatchdog.TryTakeOver: the first batch hung in 1 of 1
    // run.
    [Theory]
    [InlineData(DriverChoice.Thread)]
    [InlineData(DriverChoice.FiringThread)]
    public async Task Callback_ThatBlocks_HoldsUpNoOtherOfItsBatch(DriverChoice driver)
    {
        const int Blockers = 12;
        ThreadPool.GetMinThreads(out var workers, out var ports);
        ThreadPool.SetMinThreads(Math.Max(workers, 4 * Blockers), ports);
        try
        {
            var rounds = 0;
            for (var lastRoundAt = Stress.LastRoundAt(0.3, 20); !StressTime.IsOver(lastRoundAt); rounds++)
            {
                await BlockAsync(driver, rounds, Blockers, timers: 120);
            }

            Stress.Log($"blocking, driver {driver}: {rounds} batches");
        }
        finally
        {
            ThreadPool.SetMinThreads(workers, ports);
        }
    }

    private static async Task BlockAsync(DriverChoice driver, int round, int blockers, int timers)
    {
        const string Phase = "blocking";
        var ledger = new Ledger(Phase);
        var part = ledger.NewPart();
        await using var service = Stress.NewService(driver, 10);
        using var others = new CountdownEvent(timers - blockers);
        var isStuck = false;
        Action block = () => isStuck |= !others.Wait(Stress.Guard);
        Action signal = () => others.Signal();

        // All are due in one tick, so they are in one or two batches. In some rounds all blocking callbacks come first.
        var roles = Enumerable.Range(0, timers).Select(i => i < blockers).ToArray();
        if (round % 3 > 0)
        {
            Stress.NewRandom(round).Shuffle(roles);
        }

        foreach (var blocks in roles)
        {
            var timer = new TrackedTimer(ledger) { Then = blocks ? block : signal };
            timer.Schedule(service, TimeSpan.FromMilliseconds(20));
            part.Add(timer);
        }

        ledger.WaitForAll();
        await Stress.WaitFor(
            Phase, service.DisposeAsync().AsTask(), "DisposeAsync, for callbacks that have been let go.");
        ledger.Verify().AssertAgrees(service.GetSnapshot());
        if (isStuck)
        {
            Stress.Fail(
                Phase, $"{others.CurrentCount} of {timers - blockers} timers were held up by {blockers} that block.");
        }
    }
}

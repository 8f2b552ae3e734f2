using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>Callbacks that block, among others of their batch.</summary>
public class CallbackTests
{
    private const int Timers = 120;
    private const int Blockers = 12;

    // Calibrated by not queueing the next worker in FiringBatch.Execute: the first batch hung in 2 of 2 runs.
    [Theory]
    [InlineData(DriverChoice.Thread)]
    [InlineData(DriverChoice.Timer)]
    public async Task Callback_ThatBlocks_HoldsUpNoOtherOfItsBatch(DriverChoice driver)
    {
        ThreadPool.GetMinThreads(out var workers, out var ports);
        ThreadPool.SetMinThreads(Math.Max(workers, 4 * Blockers), ports);
        for (var (round, lastRoundAt) = (0, Stress.LastRoundAt(0.3, 20)); !StressTime.IsOver(lastRoundAt); round++)
        {
            await BlockAsync($"blocking, driver {driver}, batch {round}", driver, round);
        }

        ThreadPool.SetMinThreads(workers, ports);
    }

    private static async Task BlockAsync(string phase, DriverChoice driver, int round)
    {
        var ledger = new Ledger(phase);
        await using var service = Stress.NewService(driver, 10);
        using var others = new CountdownEvent(Timers - Blockers);
        var isStuck = false;
        Action block = () => isStuck |= !others.Wait(Stress.Guard);
        Action signal = () => others.Signal();

        // All are due in one tick, so they are in one or two batches. In some rounds all blocking callbacks come first.
        var roles = Enumerable.Range(0, Timers).Select(static i => i < Blockers).ToArray();
        if (round % 3 > 0)
        {
            Stress.NewRandom(round).Shuffle(roles);
        }

        foreach (var blocks in roles)
        {
            ledger.Add(new TrackedTimer(ledger) { Then = blocks ? block : signal })
                .Schedule(service, TimeSpan.FromMilliseconds(20));
        }

        ledger.WaitForAll();
        await Stress.WaitFor(
            phase, service.DisposeAsync().AsTask(), "DisposeAsync, for callbacks that have been let go.");
        ledger.Verify().AssertAgrees(service.GetSnapshot());
        if (isStuck)
        {
            Stress.Fail(phase, $"{others.CurrentCount} of {Timers - Blockers} timers were held up.");
        }
    }
}

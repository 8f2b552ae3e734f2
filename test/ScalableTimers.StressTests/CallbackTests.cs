using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>
/// Callbacks that block, throw, schedule and cancel one another, among others that do nothing.
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

    [Theory]
    [InlineData(DriverChoice.Thread)]
    [InlineData(DriverChoice.FiringThread)]
    public async Task Callback_ThatThrows_StopsNeitherDriverNorOthers(DriverChoice driver)
    {
        const string Phase = "throwing";
        var ledger = new Ledger(Phase);
        await using var service = Stress.NewService(driver);
        var thrown = 0L;
        Action fail = () =>
        {
            Interlocked.Increment(ref thrown);
            throw new InvalidOperationException("Thrown on purpose.");
        };
        var lastRoundAt = Stress.LastRoundAt(0.2, 10);
        StressThreads.Run(Phase, 2, thread =>
        {
            var random = Stress.NewRandom(thread);
            var part = ledger.NewPart();
            for (; !StressTime.IsOver(lastRoundAt); Thread.Sleep(1))
            {
                for (var i = 0; i < 50; i++)
                {
                    var timer = new TrackedTimer(ledger) { Then = random.Next(10) == 0 ? fail : null };
                    timer.Schedule(service, StressTime.UpTo(4, random));
                    part.Add(timer);
                }
            }
        });
        ledger.WaitForAll();
        await service.DisposeAsync();
        var total = ledger.Verify().Log().Total;
        var counted = service.GetSnapshot();
        Assert.Equal((total, thrown), (counted.Fired, counted.Failed));
    }

    [Theory]
    [InlineData(DriverChoice.Thread)]
    [InlineData(DriverChoice.Timer)]
    [InlineData(DriverChoice.FiringThread)]
    public async Task Callback_ThatSchedulesAndCancelsPeers_EndsEachOnce(DriverChoice driver)
    {
        const int Chains = 64;
        var phase = $"chains, driver {driver}";
        var ledger = new Ledger(phase);
        await using var service = Stress.NewService(driver);
        var lastRoundAt = Stress.LastRoundAt(0.3, 20);
        var peers = new TrackedTimer?[Chains];
        var running = Chains;
        for (var i = 0; i < Chains; i++)
        {
            Extend(ledger.NewPart(), i, Stress.NewRandom(i));
        }

        Stress.WaitUntil(
            phase,
            () => Volatile.Read(ref running) == 0,
            () => $"{running} of {Chains} chains have stopped before their end or go on after it.");
        ledger.WaitForAll();
        await service.DisposeAsync();
        ledger.Verify().Log().AssertAgrees(service.GetSnapshot());

        // Each link schedules the next link, which nobody cancels, and a victim, which this link or another one may
        // cancel.
        void Extend(List<Tracked> part, int chain, Random random)
        {
            if (StressTime.IsOver(lastRoundAt))
            {
                Interlocked.Decrement(ref running);
                return;
            }

            var victim = new TrackedTimer(ledger);
            victim.Schedule(service, StressTime.UpTo(2, random));
            part.Add(victim);
            Volatile.Write(ref peers[chain], victim);
            for (var i = 0; i < 3; i++)
            {
                _ = Volatile.Read(ref peers[random.Next(Chains)])?.Cancel();
            }

            var next = new TrackedTimer(ledger) { Then = () => Extend(part, chain, random) };
            part.Add(next);
            next.Schedule(service, StressTime.UpTo(2, random));
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

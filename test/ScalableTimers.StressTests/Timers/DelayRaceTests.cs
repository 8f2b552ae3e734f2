using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Timers;

/// <summary>
/// Pooled delays whose tokens are cancelled from another thread at the moment of expiry, and long after.
/// </summary>
[Trait("Category", "Stress")]
public class DelayRaceTests
{
    private const int DelaysPerWave = 200;

    // Calibrated by leaving out every Unregister and Dispose of the registrations in DelayEntry: about half of all
    // delays failed in the first round of 3 of 3 runs in Release on 2 cores. DelayReuseTests covers leaving out only
    // the wait for a running cancellation.
    [Theory]
    [InlineData(DriverChoice.Thread)]
    [InlineData(DriverChoice.Timer)]
    [InlineData(DriverChoice.FiringThread)]
    public async Task Delay_TokenCancelledAtExpiry_EndsOnceAndSaysHow(DriverChoice driver)
    {
        for (var round = 0; round < Stress.Choose(1, 30); round++)
        {
            var phase = $"round {round}, driver {driver}";
            var ledger = new Ledger(phase);
            await using var service = Stress.NewService(driver);
            var shared = new CancelSource();
            RunWaves(phase, service, ledger, shared, round);
            EndByToken(phase, service, ledger, shared);
            ledger.WaitForAll();
            await service.DisposeAsync();
            ledger.Verify().Log().AssertAgrees(service.GetSnapshot());
        }
    }

    // Calibrated in Release on 2 cores, one run each: without the check of the token in TimerCollection.Start, and
    // without TryAwait in DelayEntry.OnCompleted, some of the first thousand never ended.
    [Fact]
    public async Task Delay_TokenCancelledWhileItStarts_IsCancelled()
    {
        const string Phase = "cancelled at the start";
        await using var service = Stress.NewService(DriverChoice.Thread);
        var total = 0L;
        for (var lastRoundAt = Stress.LastRoundAt(0.3, 30); !StressTime.IsOver(lastRoundAt);)
        {
            var ledger = new Ledger(Phase);
            StartAndCancel(Phase, service, ledger);
            ledger.WaitForAll();
            var summary = ledger.Verify();
            Assert.Equal(0, summary.Fired);
            total += summary.Total;
        }

        await service.DisposeAsync();
        Stress.Log($"{Phase}: {total:N0} delays");
    }

    private static void RunWaves(string phase, TimerService service, Ledger ledger, CancelSource shared, int round)
    {
        var lastRoundAt = Stress.LastRoundAt(0.8, 2);
        var isOver = false;
        var waves = new (TrackedDelay Delay, CancelSource Source)[2][];
        using var together = new Barrier(2, _ => isOver = StressTime.IsOver(lastRoundAt));
        StressThreads.Run(phase, 2, thread =>
        {
            var random = Stress.NewRandom((round * 2) + thread);
            var part = ledger.NewPart();
            var stale = new List<CancelSource>();
            while (!isOver)
            {
                waves[thread] =
                [
                    .. Enumerable.Range(0, DelaysPerWave).Select(_ => Start(service, ledger, shared, random))
                ];
                part.AddRange(waves[thread].Select(static pair => pair.Delay));
                together.SignalAndWait();
                Plan(waves[1 - thread], stale, random).Run();
                together.SignalAndWait();
            }
        });
    }

    private static TimedActions Plan(
        (TrackedDelay Delay, CancelSource Source)[] wave, List<CancelSource> stale, Random random)
    {
        var actions = new TimedActions();
        foreach (var source in stale)
        {
            actions.Add(StressTime.In(StressTime.UpTo(5, random)), source.Cancel);
        }

        stale.Clear();
        foreach (var (delay, source) in wave)
        {
            if (random.Next(4) == 0)
            {
                // The token is cancelled during the next wave, when another user has the entry.
                stale.Add(source);
            }
            else
            {
                actions.Add(StressTime.Around(delay.NotBefore, -1, 2, random), source.Cancel);
            }
        }

        return actions;
    }

    private static (TrackedDelay Delay, CancelSource Source) Start(
        TimerService service, Ledger ledger, CancelSource shared, Random random)
    {
        var own = new CancelSource();
        var dueTime = StressTime.UpTo(5, random) + TimeSpan.FromTicks(1);
        TrackedDelay delay;
        switch (random.Next(20))
        {
            case 0:
                delay = new TrackedDelay(ledger, own, shared);
                delay.StartThrowing(service, dueTime, own.Token, shared.Token);
                break;
            case 1:
                delay = new TrackedDelay(ledger, own, shared);
                delay.StartThrowing(service, dueTime, shared.Token, own.Token);
                break;
            case < 7:
                delay = new TrackedDelay(ledger, shared);
                delay.StartTry(service, dueTime, shared.Token);
                break;
            default:
                delay = new TrackedDelay(ledger, own);
                delay.StartTry(service, dueTime, own.Token);
                break;
        }

        return (delay, own);
    }

    private static void EndByToken(string phase, TimerService service, Ledger ledger, CancelSource shared)
    {
        var before = ledger.Count;
        var part = ledger.NewPart();
        for (var i = 0; i < 1000; i++)
        {
            var delay = new TrackedDelay(ledger, shared);
            part.Add(delay);
            delay.StartTry(service, TimeSpan.FromMinutes(10), shared.Token);
        }

        Stress.WaitUntil(
            phase, () =>
                ledger.Ended >= before, () => $"expected {before} ends before the shared token's, got {ledger.Ended}");
        shared.Cancel();
    }

    /// <summary>One thread starts delays all the time, and another cancels each one as it starts.</summary>
    private static void StartAndCancel(string phase, TimerService service, Ledger ledger)
    {
        var sources = Enumerable.Range(0, 1000).Select(static _ => new CancelSource()).ToArray();
        var begun = -1;
        StressThreads.Run(phase, 2, thread =>
        {
            var random = Stress.NewRandom(thread);
            var part = ledger.NewPart();
            for (var i = 0; i < sources.Length; i++)
            {
                if (thread == 0)
                {
                    Volatile.Write(ref begun, i);
                    var delay = new TrackedDelay(ledger, sources[i]);
                    part.Add(delay);
                    delay.StartTry(service, Timeout.InfiniteTimeSpan, sources[i].Token);
                    continue;
                }

                var spinner = default(SpinWait);
                while (Volatile.Read(ref begun) < i)
                {
                    spinner.SpinOnce(sleep1Threshold: -1);
                }

                Thread.SpinWait(random.Next(20));
                sources[i].Cancel();
            }
        });
    }
}

using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Timers;

/// <summary>Delays that are cancelled while they start, and delays that nobody awaits.</summary>
[Trait("Category", "Stress")]
public class DelayTests
{
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

    // Calibrated by leaving out every Unregister and Dispose of the registrations in DelayEntry: failed in 3 of 3 runs
    // in Release on 2 cores.
    [Fact]
    public async Task Delay_DroppedTasks_DisturbNobody()
    {
        for (var round = 0; round < Stress.Choose(1, 20); round++)
        {
            var phase = $"dropped, round {round}";
            var ledger = new Ledger(phase);
            await using var service = Stress.NewService(DriverChoice.Thread);
            DropMost(phase, service, ledger);
            ledger.WaitForAll();
            Stress.WaitUntil(phase, () => service.GetSnapshot().Pending == 0, () => $"{service.GetSnapshot()}");
            await service.DisposeAsync();
            var counted = service.GetSnapshot();
            _ = ledger.Verify().Log();
            Stress.Log($"{phase}: {counted.Scheduled:N0} delays, two of three dropped");
            Assert.Equal((counted.Scheduled, 0), (counted.Fired + counted.Cancelled, counted.Failed));
        }
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

    private static void DropMost(string phase, TimerService service, Ledger ledger)
    {
        var lastRoundAt = Stress.LastRoundAt(0.3, 1);
        StressThreads.Run(phase, 2, thread =>
        {
            var random = Stress.NewRandom(thread);
            var part = ledger.NewPart();
            while (!StressTime.IsOver(lastRoundAt))
            {
                var source = new CancelSource();
                for (var i = 0; i < 100; i++)
                {
                    // Dropped delays share the token, the pool and the slots with a delay that is awaited.
                    _ = service.TryDelay(StressTime.UpTo(3, random), source.Token);
                    _ = service.Delay(StressTime.UpTo(3, random), source.Token);
                    var delay = new TrackedDelay(ledger, source);
                    part.Add(delay);
                    delay.StartTry(service, StressTime.UpTo(3, random), source.Token);
                }

                Thread.Sleep(random.Next(3));
                source.Cancel();
            }
        });
    }
}

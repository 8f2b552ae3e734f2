using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Timers;

/// <summary>
/// Pooled delays whose tokens are cancelled from another thread at the moment of expiry, and long after.
/// </summary>
public class DelayRaceTests
{
    // Calibrated in Release on 2 busy cores by leaving out the Unregister in DelayEntry.Complete and the Dispose in
    // Read: 43 of 35,400 were cancelled by another user's token, with one driver of three.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public async Task Delay_TokenCancelledAtExpiry_EndsOnceAndSaysHow(DriverChoice driver)
    {
        for (var round = 0; round < Stress.Choose(1, 30); round++)
        {
            var phase = $"round {round}, driver {driver}";
            var ledger = new Ledger(phase);
            await using var service = Stress.NewService(driver);
            var shared = new CancelSource();
            Waves.Run(
                phase,
                round,
                size: 200,
                random => Start(service, ledger, shared, random),
                static (actions, mine, other, random) =>
                {
                    // Some tokens are cancelled during a later wave, when another user has the entry.
                    var (delay, source) = other;
                    var near = random.Next(4) == 0 ? mine.Delay : delay;
                    actions.AddNear(near.NotBefore, random, source.Cancel);
                });
            EndByToken(phase, service, ledger, shared);
            ledger.WaitForAll();
            await service.DisposeAsync();
            ledger.Verify().AssertAgrees(service.GetSnapshot());
        }
    }

    private static (TrackedDelay Delay, CancelSource Source) Start(
        TimerService service, Ledger ledger, CancelSource shared, Random random)
    {
        var own = new CancelSource();
        var dueTime = StressTime.UpTo(5, random) + TimeSpan.FromTicks(1);
        var kind = random.Next(20);
        var delay = ledger.Add(
            kind < 2 ? new TrackedDelay(ledger, own, shared) : new TrackedDelay(ledger, kind < 7 ? shared : own));
        var (first, second) = kind == 0 || kind >= 7 ? (own, shared) : (shared, own);
        if (kind < 2)
        {
            delay.StartThrowing(service, dueTime, first.Token, second.Token);
        }
        else
        {
            delay.StartTry(service, dueTime, first.Token);
        }

        return (delay, own);
    }

    private static void EndByToken(string phase, TimerService service, Ledger ledger, CancelSource shared)
    {
        var before = ledger.Count;
        for (var i = 0; i < 1000; i++)
        {
            ledger.Add(new TrackedDelay(ledger, shared)).StartTry(service, TimeSpan.FromMinutes(10), shared.Token);
        }

        Stress.WaitUntil(phase, () => ledger.Ended >= before, () => $"expected {before} ends, got {ledger.Ended}");
        shared.Cancel();
    }
}

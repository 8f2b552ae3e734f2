using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>
/// Callbacks, pooled delays and rented timeouts that two threads end within a tick of their deadlines, and later, when
/// another user has the entry.
/// </summary>
public class DeadlineRaceTests
{
    // Calibrated in Release on 2 cores by looking whether the entry is linked, instead of at its word, in
    // CallbackEntry.TryReschedule: 7 to 66 of 75,000 timers were early, with each driver.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public Task CancelAndReschedule_WithinATickOfTheDeadline_EndEachTimerOnce(DriverChoice driver) => RunAsync(
        driver,
        size: 400,
        static (service, ledger, random) =>
        {
            var timer = ledger.Add(new TrackedTimer(ledger));
            timer.Schedule(service, StressTime.UpTo(5, random));
            return timer;
        },
        static (actions, mine, other, random) =>
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
        },
        static (service, summary) => summary.AssertAgrees(service.GetSnapshot()));

    // Calibrated in Release on 2 busy cores by leaving out the Unregister in DelayEntry.Complete and the Dispose in
    // Read: 43 of 35,400 were cancelled by another user's token, with one driver of three.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public Task Delay_TokenCancelledAtExpiry_EndsOnceAndSaysHow(DriverChoice driver)
    {
        // It outlives thousands of delays, as the token of a host does, and nobody cancels it.
        var shared = new CancelSource();
        return RunAsync(
            driver,
            size: 200,
            (service, ledger, random) => Start(service, ledger, shared, random),
            static (actions, mine, other, random) =>
            {
                // Some tokens are cancelled during a later wave, when another user has the entry.
                var near = random.Next(4) == 0 ? mine.Delay : other.Delay;
                actions.AddNear(near.NotBefore, random, other.Source.Cancel);
            },
            static (service, summary) => summary.AssertAgrees(service.GetSnapshot()));
    }

    // Calibrated in Release on 2 cores by returning a source whether or not it could be cancelled, in
    // LeasedTimeout.Return: 38 of 38,400 leases failed. That a caller's cancellation is over before the source is
    // rented again takes an exploration of interleavings to test: it is a matter of nanoseconds.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public Task RentTimeout_ReturnedTimedOutAndCancelledAtOnce_ReachesNoOtherTenant(DriverChoice driver) => RunAsync(
        driver,
        size: 300,
        static (service, ledger, random) =>
        {
            var caller = random.Next(2) == 0 ? new CancelSource() : null;
            var lease = ledger.Add(new TrackedToken(ledger, caller));
            lease.Rent(service, StressTime.UpTo(4, random) + TimeSpan.FromTicks(1));
            return (Lease: lease, Caller: caller);
        },
        static (actions, mine, other, random) =>
        {
            if (random.Next(4) > 0)
            {
                actions.AddNear(mine.Lease.NotBefore, random, mine.Lease.End);

                // Once more, when the source may belong to another tenant.
                var later = StressTime.Units(StressTime.UpTo(4, random));
                actions.AddNear(mine.Lease.NotBefore + later, random, mine.Lease.End);
            }

            if (other.Caller is { } caller && random.Next(3) > 0)
            {
                actions.AddNear(other.Lease.NotBefore, random, caller.Cancel);
            }
        },
        static (service, summary) =>
        {
            var counted = service.GetSnapshot();
            Assert.Equal((0, summary.Total), (counted.Pending, counted.Scheduled));
            Assert.Equal(counted.Scheduled, counted.Fired + counted.Cancelled);
            Assert.True(summary.Fired > 0 && summary.Cancelled > 0);
        });

    private static async Task RunAsync<T>(
        DriverChoice driver,
        int size,
        Func<TimerService, Ledger, Random, T> start,
        Action<TimedActions, T, T, Random> plan,
        Action<TimerService, LedgerSummary> verify)
    {
        for (var round = 0; round < Stress.Choose(1, 30); round++)
        {
            var phase = $"round {round}, driver {driver}";
            var ledger = new Ledger(phase);
            await using var service = Stress.NewService(driver);
            Waves.Run(phase, round, size, random => start(service, ledger, random), plan);
            ledger.WaitForAll();
            await service.DisposeAsync();
            verify(service, ledger.Verify());
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
}

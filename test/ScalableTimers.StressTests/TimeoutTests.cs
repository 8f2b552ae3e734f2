using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>
/// Shared timeout tokens that many threads request while their buckets end, and rented ones that are returned at the
/// moment at which they are cancelled.
/// </summary>
[Trait("Category", "Stress")]
public class TimeoutTests
{
    // CALIBRATE
    [Fact]
    public async Task GetTimeoutToken_FromManyThreads_IsCancelledOnceAndNotEarly()
    {
        const string Phase = "timeout tokens";
        for (var round = 0; round < Stress.Choose(1, 20); round++)
        {
            var ledger = new Ledger(Phase);
            await using var service = Stress.NewService((DriverChoice)(round % 3), tokenBucketMilliseconds: 5);
            var lastRoundAt = StressTime.In(TimeSpan.FromSeconds(0.5));
            var tokens = new HashSet<CancellationToken>[3];
            StressThreads.Run(
                Phase,
                tokens.Length,
                thread => tokens[thread] = Ask(service, ledger, lastRoundAt, Stress.NewRandom(thread)));
            ledger.WaitForAll();
            await service.DisposeAsync();
            var summary = ledger.Verify().Log();
            var distinct = tokens.SelectMany(static mine => mine).Distinct().Count();
            Stress.Log($"{Phase}: {distinct} tokens for {summary.Total:N0} timeouts, one bucket is 5 ms");
        }
    }

    // CALIBRATE
    [Theory]
    [ClassData(typeof(EachDriver))]
    public async Task RentTimeout_ReturnedTimedOutAndCancelledAtOnce_ReachesNoOtherTenant(DriverChoice driver)
    {
        for (var round = 0; round < Stress.Choose(1, 30); round++)
        {
            var phase = $"leases, round {round}, driver {driver}";
            var ledger = new Ledger(phase);
            await using var service = Stress.NewService(driver);
            Waves.Run(phase, round, size: 300, random => Rent(service, ledger, random), Plan);
            ledger.WaitForAll();
            await service.DisposeAsync();
            var summary = ledger.Verify().Log();
            var counted = service.GetSnapshot();
            Assert.Equal((0, summary.Total), (counted.Pending, counted.Scheduled));
            Assert.Equal(counted.Scheduled, counted.Fired + counted.Cancelled);
            Assert.True(summary.Fired > 0 && summary.Cancelled > 0);
        }
    }

    private static (TrackedToken Lease, CancelSource? Caller) Rent(TimerService service, Ledger ledger, Random random)
    {
        var caller = random.Next(2) == 0 ? new CancelSource() : null;
        var lease = ledger.Add(new TrackedToken(ledger, caller));
        lease.Rent(service, StressTime.UpTo(4, random) + TimeSpan.FromTicks(1));
        return (lease, caller);
    }

    private static void Plan(
        TimedActions actions,
        (TrackedToken Lease, CancelSource? Caller) mine,
        (TrackedToken Lease, CancelSource? Caller) other,
        Random random)
    {
        if (random.Next(4) > 0)
        {
            actions.AddNear(mine.Lease.NotBefore, random, mine.Lease.End);

            // Once more, when the source may belong to another tenant.
            actions.AddNear(mine.Lease.NotBefore + StressTime.Units(StressTime.UpTo(4, random)), random, mine.Lease.End);
        }

        if (other.Caller is { } caller && random.Next(3) > 0)
        {
            actions.AddNear(other.Lease.NotBefore, random, caller.Cancel);
        }
    }

    private static HashSet<CancellationToken> Ask(TimerService service, Ledger ledger, long lastRoundAt, Random random)
    {
        var part = ledger.NewPart();
        var tokens = new HashSet<CancellationToken>();
        while (!StressTime.IsOver(lastRoundAt))
        {
            for (var i = 0; i < 20; i++)
            {
                // Some timeouts are short and race with the end of their bucket. Others are longer.
                var registration = new TrackedToken(ledger);
                var timeout = StressTime.UpTo(random.Next(2) == 0 ? 2 : 100, random) + TimeSpan.FromTicks(1);
                _ = tokens.Add(registration.Share(service, timeout));
                part.Add(registration);
                if (random.Next(3) == 0)
                {
                    ((TrackedToken)part[random.Next(part.Count)]).End();
                }
            }

            Thread.Sleep(random.Next(2));
        }

        return tokens;
    }
}

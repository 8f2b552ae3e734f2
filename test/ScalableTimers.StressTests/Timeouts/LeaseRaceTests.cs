using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Timeouts;

/// <summary>Rented timeouts that are returned at the moment at which they are cancelled.</summary>
public class LeaseRaceTests
{
    // Calibrated in Release on 2 cores by returning a source whether or not it could be cancelled, in
    // LeasedTimeout.Return: 38 of 38,400 leases failed. That a caller's cancellation is over before the source is
    // rented again takes an exploration of interleavings to test: it is a matter of nanoseconds.
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
            var summary = ledger.Verify();
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
            var later = StressTime.Units(StressTime.UpTo(4, random));
            actions.AddNear(mine.Lease.NotBefore + later, random, mine.Lease.End);
        }

        if (other.Caller is { } caller && random.Next(3) > 0)
        {
            actions.AddNear(other.Lease.NotBefore, random, caller.Cancel);
        }
    }
}

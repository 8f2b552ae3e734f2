namespace ScalableTimers.Tests;

public sealed class TimeoutLeaseTests : InVirtualTime
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);

    [Theory]
    [InlineData(0)]
    [InlineData(-0.5)]
    public void Rent_NoTime_HasTimedOut(double milliseconds)
    {
        using var lease = Service.RentTimeout(TimeSpan.FromMilliseconds(milliseconds));

        Assert.True(lease.Token.IsCancellationRequested);
        Assert.True(lease.HasTimedOut);
    }

    [Fact]
    public void Rent_CallerHasCancelled_IsCancelledAndDidNotTimeOut()
    {
        using var lease = Service.RentTimeout(TimeSpan.Zero, new CancellationToken(canceled: true));

        Assert.True(lease.Token.IsCancellationRequested);
        Assert.False(lease.HasTimedOut);
    }

    [Fact]
    public void Rent_Infinite_IsTheCallersToken()
    {
        using var caller = new CancellationTokenSource();
        using var lease = Service.RentTimeout(Timeout.InfiniteTimeSpan, caller.Token);
        using var never = Service.RentTimeout(Timeout.InfiniteTimeSpan);

        Assert.Equal(caller.Token, lease.Token);
        Assert.False(never.Token.CanBeCanceled);
        Assert.Equal(0, Service.GetSnapshot().Pending);
    }

    [Fact]
    public void Rent_LongerThanATimerCanWait_IsCancelledThen()
    {
        var timeout = TimeSpan.FromDays(200);
        using var lease = Service.RentTimeout(timeout);
        Clock.Advance(timeout - s_instant);
        Assert.False(lease.Token.IsCancellationRequested);
        Clock.Advance(s_instant);
        Assert.True(lease.HasTimedOut);

        using var longest = Service.RentTimeout(TimeSpan.MaxValue);
        Assert.False(longest.Token.IsCancellationRequested);
    }

    [Fact]
    public void Dispose_InTheMidstOfItsOwnCancellation_ReachesNobodyElse()
    {
        // The registration that is called first ends the lease and rents the next one, while the cancellation
        // continues.
        var lease = Service.RentTimeout(s_second);
        var next = default(TimeoutLease);
        _ = lease.Token.Register(static () => { });
        _ = lease.Token.Register(() =>
        {
            lease.Dispose();
            next = Service.RentTimeout(s_second);
        });

        Clock.Advance(s_second);

        Assert.False(next.Token.IsCancellationRequested);
        Assert.NotEqual(lease.Token, next.Token);
        next.Dispose();
    }

    // The clock kept a timer for each lease, and so the service, until they rang.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Service_IsDisposed_LeasesThatAreNotRentedEnd(bool isReturnedLater)
    {
        var service = Services.InAFrameOfItsOwn(() =>
        {
            var service = new TimerService(clock: Clock);
            var leases = Enumerable.Range(0, 100).Select(_ => service.RentTimeout(s_second)).ToList();
            if (isReturnedLater)
            {
                service.Dispose();
                Assert.Equal(100, service.GetSnapshot().Pending);
            }

            leases.ForEach(static lease => lease.Dispose());
            service.Dispose();
            return new WeakReference(service);
        });

        Assert.Equal(0, Clock.ArmedTimers);
        Wait.ForCollection(service);
    }

    [Fact]
    public void Default_IsALeaseOfNothing()
    {
        var lease = default(TimeoutLease);
        lease.Dispose();

        Assert.False(lease.Token.CanBeCanceled);
        Assert.False(lease.HasTimedOut);
    }
}

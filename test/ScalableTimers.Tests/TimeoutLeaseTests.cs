using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests;

public sealed class TimeoutLeaseTests : IDisposable
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly CollectingLogger _logger = new();
    private readonly TimerService _service;

    public TimeoutLeaseTests() => _service = new TimerService(clock: _clock, logger: _logger);

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Dispose_OfAThousand_LeavesNoTimer()
    {
        var leases = Enumerable.Range(0, 1_000).Select(_ => _service.RentTimeout(s_second)).ToList();
        Assert.Equal(1_000, _service.GetSnapshot().Pending);

        leases.ForEach(static lease => lease.Dispose());

        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-0.5)]
    public void Rent_NoTime_HasTimedOut(double milliseconds)
    {
        using var lease = _service.RentTimeout(TimeSpan.FromMilliseconds(milliseconds));

        Assert.True(lease.Token.IsCancellationRequested);
        Assert.True(lease.HasTimedOut);
    }

    [Fact]
    public void Rent_CallerHasCancelled_IsCancelledAndDidNotTimeOut()
    {
        using var lease = _service.RentTimeout(TimeSpan.Zero, new CancellationToken(canceled: true));

        Assert.True(lease.Token.IsCancellationRequested);
        Assert.False(lease.HasTimedOut);
    }

    [Fact]
    public void Rent_Infinite_IsTheCallersToken()
    {
        using var caller = new CancellationTokenSource();
        using var lease = _service.RentTimeout(Timeout.InfiniteTimeSpan, caller.Token);
        using var never = _service.RentTimeout(Timeout.InfiniteTimeSpan);

        Assert.Equal(caller.Token, lease.Token);
        Assert.False(never.Token.CanBeCanceled);
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public void Rent_Negative_Throws()
    {
        Assert.Throws<ArgumentOutOfRangeException>(
            "timeout", () => _service.RentTimeout(TimeSpan.FromMilliseconds(-2)));
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public void Rent_LongerThanATimerCanWait_IsCancelledThen()
    {
        var timeout = TimeSpan.FromDays(200);
        using var lease = _service.RentTimeout(timeout);
        _clock.Advance(timeout - s_instant);
        Assert.False(lease.Token.IsCancellationRequested);
        _clock.Advance(s_instant);
        Assert.True(lease.HasTimedOut);

        using var longest = _service.RentTimeout(TimeSpan.MaxValue);
        Assert.False(longest.Token.IsCancellationRequested);
    }

    [Fact]
    public void Dispose_InTheMidstOfItsOwnCancellation_ReachesNobodyElse()
    {
        // The registration that is called first ends the lease and rents the next one, while the cancellation
        // continues.
        var lease = _service.RentTimeout(s_second);
        var next = default(TimeoutLease);
        _ = lease.Token.Register(static () => { });
        _ = lease.Token.Register(() =>
        {
            lease.Dispose();
            next = _service.RentTimeout(s_second);
        });

        _clock.Advance(s_second);

        Assert.False(next.Token.IsCancellationRequested);
        Assert.NotEqual(lease.Token, next.Token);
        next.Dispose();
    }

    [Fact]
    public void Registration_Throws_IsLoggedAndCounted()
    {
        using var lease = _service.RentTimeout(s_second);
        var called = 0;
        _ = lease.Token.Register(() => called++);
        _ = lease.Token.Register(static () => throw new InvalidOperationException("Thrown by a registration."));

        _clock.Advance(s_second);

        Assert.Equal(1, called);
        Assert.IsType<AggregateException>(Assert.Single(_logger.Entries).Exception);
        Assert.Equal(1, _service.GetSnapshot().FailedRegistrations);
        Assert.Equal(0, _service.GetSnapshot().Failed);
    }

    [Fact]
    public void Service_IsDisposed_TimeoutsComeByTheClock()
    {
        using var before = _service.RentTimeout(s_second);
        _service.Dispose();
        using var after = _service.RentTimeout(2 * s_second);

        _clock.Advance(s_second);
        Assert.True(before.HasTimedOut);
        Assert.False(after.HasTimedOut);
        _clock.Advance(s_second);
        Assert.True(after.HasTimedOut);
    }

    // The timers of the leases were handed to the clock, which kept the service alive until they rang.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Service_IsDisposed_LeasesThatAreNotRentedEnd(bool isReturnedLater)
    {
        var service = Services.InAFrameOfItsOwn(() =>
        {
            var service = new TimerService(clock: _clock);
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

        Assert.Equal(0, _clock.ArmedTimers);
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

    [Fact]
    public void Rent_SteadyState_AllocatesNothing()
    {
        using var service = new TimerService();
        using var caller = new CancellationTokenSource();

        // The least of several rounds: the first ones also pay for compilation.
        Assert.Equal(0, Enumerable.Range(0, 5).Min(_ =>
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < 5_000; i++)
            {
                using var lease = service.RentTimeout(s_second, caller.Token);
                using var other = service.RentTimeout(s_second);
            }

            return GC.GetAllocatedBytesForCurrentThread() - before;
        }));
    }

    [Fact]
    public void Rent_FirstTenantsContext_IsNotKept()
    {
        var local = new AsyncLocal<object?> { Value = new object() };
        var seen = new object();
        var lease = _service.RentTimeout(s_second);
        local.Value = null;
        _ = lease.Token.UnsafeRegister(_ => seen = local.Value, null);

        _clock.Advance(s_second);

        Assert.Null(seen);
        lease.Dispose();
    }
}

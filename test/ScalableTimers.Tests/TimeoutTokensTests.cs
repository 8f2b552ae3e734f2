using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests;

public sealed class TimeoutTokensTests : IDisposable
{
    private static readonly TimeSpan s_bucket = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly CollectingLogger _logger = new();
    private readonly TimerService _service;

    public TimeoutTokensTests() => _service = new TimerService(clock: _clock, logger: _logger);

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Get_InOneBucket_IsShared()
    {
        _clock.Advance(TimeSpan.FromMilliseconds(1));
        var first = _service.GetTimeoutToken(s_second);
        _clock.Advance(TimeSpan.FromMilliseconds(200));

        Assert.Equal(first, _service.GetTimeoutToken(s_second));
        Assert.Equal(1, _service.GetSnapshot().Pending);
        Assert.NotEqual(first, _service.GetTimeoutToken(s_second + s_bucket));
    }

    [Fact]
    public void Get_InfiniteOrZero_IsNeverOrAlreadyCancelled()
    {
        Assert.False(_service.GetTimeoutToken(Timeout.InfiniteTimeSpan).CanBeCanceled);
        Assert.True(_service.GetTimeoutToken(TimeSpan.Zero).IsCancellationRequested);
    }

    [Theory]
    [InlineData(-2)]
    [InlineData(-1_000_000)]
    public void Get_OutOfRange_ThrowsAndNamesTheTimeout(double milliseconds)
    {
        var exception = Assert.Throws<ArgumentOutOfRangeException>(
            () => _service.GetTimeoutToken(TimeSpan.FromMilliseconds(milliseconds)));

        Assert.Equal("timeout", exception.ParamName);
    }

    [Fact]
    public void Get_LongestTimeout_IsCancelledThen()
    {
        var longest = TimeSpan.FromMilliseconds(4_294_967_294);
        var token = _service.GetTimeoutToken(longest);

        _clock.Advance(longest - TimeSpan.FromMilliseconds(1));
        Assert.False(token.IsCancellationRequested);
        _clock.Advance(s_second);

        Assert.True(token.IsCancellationRequested);
        Assert.Equal(0, Count());
    }

    [Fact]
    public void Cancel_RegistrationThrows_TheOthersAreCalledAndItIsLogged()
    {
        var called = 0;
        var token = _service.GetTimeoutToken(s_second);
        using var first = token.Register(() => called++);
        using var second = token.Register(
            static () => throw new InvalidOperationException("Thrown by a registration."));
        using var third = token.Register(() => called++);
        using var fourth = token.Register(static () => throw new InvalidOperationException("Thrown by another."));

        _clock.Advance(s_second);

        Assert.Equal(2, called);
        Assert.Equal(2, _service.GetSnapshot().FailedRegistrations);
        Assert.Contains(_logger.Entries, static entry => entry.Id == 20);
        Assert.Equal(0, _service.GetSnapshot().Failed);
    }

    [Fact]
    public void Cancel_RegistrationBlocks_HoldsUpItsSharersAndNothingElse()
    {
        using var service = Services.OnThePool(_clock);
        using var blocked = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        using var fired = new ManualResetEventSlim();
        using var others = new CountdownEvent(2);
        var token = service.GetTimeoutToken(s_second);
        Assert.Equal(token, service.GetTimeoutToken(s_second));
        for (var i = 0; i < 3; i++)
        {
            _ = token.UnsafeRegister(_ => Call(), null);
        }

        service.Schedule(_ => fired.Set(), null, s_second + s_bucket);
        using var lease = service.RentTimeout(s_second + s_bucket);
        using var timedOut = new ManualResetEventSlim();
        _ = lease.Token.UnsafeRegister(_ => timedOut.Set(), null);
        _clock.Advance(s_second);
        Wait.For(blocked, "the first registration is called");

        _clock.Advance(s_bucket);
        Wait.For(fired, "a timer fires meanwhile");
        Wait.For(timedOut, "a lease is cancelled meanwhile");
        Assert.Equal(2, others.CurrentCount);

        release.Set();
        Wait.For(others, "the other registrations are called");

        void Call()
        {
            if (!blocked.IsSet)
            {
                blocked.Set();
                Wait.For(release, "the release");
            }
            else
            {
                others.Signal();
            }
        }
    }

    [Fact]
    public void Cancel_RegistrationAsksForTheNextToken_GetsALiveOne()
    {
        CancellationToken next = default;
        using var registration = _service.GetTimeoutToken(s_second)
            .Register(() => next = _service.GetTimeoutToken(s_second));

        _clock.Advance(s_second);
        Assert.False(next.IsCancellationRequested);
        _clock.Advance(s_second);

        Assert.True(next.IsCancellationRequested);
    }

    [Fact]
    public void Get_CreatorHasAsyncLocals_DoesNotKeepThem()
    {
        var value = Services.InAFrameOfItsOwn(() =>
        {
            var state = new object();
            var local = new AsyncLocal<object?> { Value = state };
            _ = _service.GetTimeoutToken(s_second);
            local.Value = null;
            return new WeakReference(state);
        });

        Wait.ForCollection(value);
    }

    [Fact]
    public void Dispose_PendingAndLaterTokens_AreCancelledOnTime()
    {
        var pending = _service.GetTimeoutToken(s_second);
        _service.Dispose();
        var later = _service.GetTimeoutToken(s_second);

        _clock.Advance(s_second - TimeSpan.FromTicks(1));
        Assert.False(pending.IsCancellationRequested || later.IsCancellationRequested);
        _clock.Advance(TimeSpan.FromTicks(1));

        Assert.True(pending.IsCancellationRequested && later.IsCancellationRequested);
        Assert.Equal((0, 0), (_clock.ArmedTimers, Count()));
    }

    private int Count() => _service.GetSnapshot().TimeoutTokens;
}

namespace ScalableTimers.Tests.Timeouts;

public sealed class TimeoutTokensTests : InVirtualTime
{
    private static readonly TimeSpan s_bucket = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Fact]
    public void Get_InfiniteOrZero_IsNeverOrAlreadyCancelled()
    {
        Assert.False(Service.GetTimeoutToken(Timeout.InfiniteTimeSpan).CanBeCanceled);
        Assert.True(Service.GetTimeoutToken(TimeSpan.Zero).IsCancellationRequested);
    }

    // Threads that register with one source wait for each other, so a bucket has several.
    [Fact]
    public void GetTimeoutToken_OnManyThreadsAtOnce_SharesAFewSources()
    {
        using var service = new TimerService();
        var tokens = new CancellationToken[64];
        Wait.ForThreads(tokens.Length, i => tokens[i] = service.GetTimeoutToken(TimeSpan.FromHours(1)));

        // Twice as many, if a bucket has ended in between.
        var sources = tokens.Distinct().Count();
        Assert.InRange(sources, 1, 4 * int.Min(16, Environment.ProcessorCount));
        Assert.Equal(sources, service.GetSnapshot().TimeoutTokens);
    }

    [Fact]
    public void Cancel_RegistrationBlocks_HoldsUpOnlyItsOwnToken()
    {
        using var service = Services.OnThePool(Clock);
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
        Clock.Advance(s_second);
        Wait.For(blocked, "the first registration is called");

        Clock.Advance(s_bucket);
        Wait.For(fired, "a timer fires meanwhile");
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
        using var registration = Service.GetTimeoutToken(s_second)
            .Register(() => next = Service.GetTimeoutToken(s_second));

        Clock.Advance(s_second);
        Assert.False(next.IsCancellationRequested);
        Clock.Advance(s_second);

        Assert.True(next.IsCancellationRequested);
    }
}

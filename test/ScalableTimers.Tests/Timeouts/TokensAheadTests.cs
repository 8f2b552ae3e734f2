using System.Collections.Concurrent;
using ScalableTimers.Testing;
using ScalableTimers.Tests.Clock;
using ScalableTimers.Timeouts;

namespace ScalableTimers.Tests.Timeouts;

/// <summary>Tokens that are created before they are requested.</summary>
public sealed class TokensAheadTests : IDisposable
{
    private static readonly TimeSpan s_bucket = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _service;

    public TokensAheadTests() => _service = new TimerService(clock: _clock);

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Get_ASecondTime_MakesThoseUntilTheNextRoundAndOneMore()
    {
        Use(_service, _clock);
        Assert.Equal(2, Count());

        _clock.Advance(TimeSpan.FromTicks(1));

        // The buckets of 1.00 s and 1.25 s were used. The round creates those from 1.25 s to 2.25 s.
        Assert.Equal(6, Count());

        // The next round is in the middle of the fifth bucket. One token has ended by then.
        _clock.Advance((4.5 * s_bucket) - _clock.Elapsed);
        Assert.Equal(5, Count());
        _clock.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(5 + TokensAhead.Period, Count());
    }

    [Fact]
    public void Get_Once_MakesNothingAhead()
    {
        _ = _service.GetTimeoutToken(s_second);

        _clock.Advance(s_second - TimeSpan.FromTicks(1));

        Assert.Equal((1, 1L), (Count(), _service.GetSnapshot().Pending));
    }

    // Calibrated by creating one source less in TokensAhead.MakeSources: fails.
    [Fact]
    public void Get_RegularTimeout_AlwaysFindsItsToken()
    {
        var random = new Random(11);
        for (var i = 0; i < 5_000; i++)
        {
            // All requests are rounded to the same timeout, and come at any moment.
            var before = Count();
            _ = _service.GetTimeoutToken((30 * s_second) - TimeSpan.FromTicks(random.NextInt64(s_bucket.Ticks)));
            if (i >= 50)
            {
                Assert.Equal(before, Count());
            }

            _clock.Advance(
                TimeSpan.FromTicks(1 + random.NextInt64(i < 50 ? s_bucket.Ticks : 2 * TimeSpan.TicksPerSecond)));
        }
    }

    // Calibrated by leaving out the first source in TokensAhead.MakeSources: fails. Later rounds do not need it: the
    // round before has created it.
    [Fact]
    public void Get_AfterTheFirstRound_FindsTheLaterBucketOfItsTimeoutToo()
    {
        // Both end in the earlier of the two buckets that four buckets may lead to.
        var timeout = s_second - TimeSpan.FromMilliseconds(10);
        _clock.Advance(TimeSpan.FromMilliseconds(10));
        _ = _service.GetTimeoutToken(timeout);
        _clock.Advance(s_bucket);
        _ = _service.GetTimeoutToken(timeout);
        _clock.Advance(s_bucket / 2);

        // The round has come, and this ends in the later one.
        var before = Count();
        _ = _service.GetTimeoutToken(s_second);
        Assert.Equal(before, Count());
    }

    [Fact]
    public void Get_RoundComesNearlyHalfABucketLate_StillFindsItsToken()
    {
        var clock = new HandClock();
        using var service = new TimerService(clock: clock);
        var ringAt = long.MaxValue;
        clock.Changed = () =>
            ringAt = clock.NextWait is { } wait
                ? clock.Timestamp + wait.Ticks + TimeSpan.FromMilliseconds(100).Ticks
                : long.MaxValue;
        for (var i = 0; i < 10_000; i++)
        {
            var before = service.GetSnapshot().TimeoutTokens;
            _ = service.GetTimeoutToken(30 * s_second);
            if (i >= 200)
            {
                Assert.Equal(before, service.GetSnapshot().TimeoutTokens);
            }

            clock.Skip(TimeSpan.FromMilliseconds(10));
            if (clock.Timestamp >= ringAt)
            {
                clock.Ring();
            }
        }
    }

    [Fact]
    public void Get_ShorterTimeoutAfterALongerOneHasEnded_IsMadeAheadAgain()
    {
        for (var i = 0; i < 400; i++)
        {
            // The longer timeout is always first in a bucket. After ten seconds it is not used any more.
            _ = i < 40 ? _service.GetTimeoutToken(20 * s_second) : default;
            _ = _service.GetTimeoutToken(5 * s_second);
            _clock.Advance(s_bucket);
        }

        var before = Count();
        _ = _service.GetTimeoutToken(5 * s_second);
        Assert.Equal(before, Count());
    }

    [Fact]
    public void Get_NotForTheMemory_IsForgottenAndTheServiceSleeps()
    {
        Use(_service, _clock);
        _clock.Advance(new ScalableTimerOptions().TimeoutTokenReuseWindow + (2 * s_second));

        // Only the tokens that were created last are left, and the rounds have ended.
        _clock.Advance(s_second + s_bucket);
        Assert.Equal((0, 0L, 0), (Count(), _service.GetSnapshot().Pending, _clock.ArmedTimers));
        var wakeUps = _service.GetSnapshot().DriverWakeUps;
        _clock.Advance(s_minute);
        Assert.Equal(wakeUps, _service.GetSnapshot().DriverWakeUps);
    }

    [Fact]
    public void Get_AfterItWasForgotten_IsMadeAheadAgain()
    {
        Use(_service, _clock);
        _clock.Advance(s_minute);
        Assert.Equal(0, Count());

        Use(_service, _clock);
        _clock.Advance(TimeSpan.FromTicks(1));

        Assert.Equal(6, Count());
    }

    [Fact]
    public void Get_WithoutMemory_MakesNothingAhead()
    {
        using var service = new TimerService(
            new ScalableTimerOptions { TimeoutTokenReuseWindow = TimeSpan.Zero }, _clock);
        for (var i = 0; i < 10; i++)
        {
            Use(service, _clock);
        }

        Assert.Equal(service.GetSnapshot().TimeoutTokens, service.GetSnapshot().Pending);
        Assert.InRange(service.GetSnapshot().TimeoutTokens, 1, 5);
    }

    [Fact]
    public void Get_MoreTimeoutsThanAreRemembered_ForgetsThoseNotUsed()
    {
        for (var i = 0; i < 20 * TokensAhead.Capacity; i++)
        {
            _ = _service.GetTimeoutToken(s_minute + ((i % (3 * TokensAhead.Capacity)) * s_bucket));
            _clock.Advance(TimeSpan.FromMilliseconds(10));
            Assert.InRange(Remembered(), 0, TokensAhead.Capacity);
        }

        // There is room for a timeout that is used from now on.
        _clock.Advance(5 * s_second);
        Use(_service, _clock);
        _clock.Advance(s_second);
        var before = Count();
        _ = _service.GetTimeoutToken(s_second);
        Assert.Equal(before, Count());
    }

    [Fact]
    public void Dispose_WithTokensMadeAhead_DropsThemAndEndsTheRounds()
    {
        using var registration = Use(_service, _clock).Register(static () => { });
        _clock.Advance(s_bucket);
        Assert.InRange(Count(), 3, 10);

        _service.Dispose();

        // Only the two tokens that somebody has are left.
        Assert.Equal((2, 2), (Count(), _clock.ArmedTimers));
        _clock.Advance(s_second);
        Assert.Equal((0, 0), (Count(), _clock.ArmedTimers));
        Assert.True(registration.Token.IsCancellationRequested);
    }

    [Fact]
    public void Get_AfterDispose_IsNotMadeAheadAndEndsOnTime()
    {
        Use(_service, _clock);
        _clock.Advance(s_bucket);
        _service.Dispose();

        var token = Use(_service, _clock);
        Use(_service, _clock);

        _clock.Advance(s_second - s_bucket - TimeSpan.FromTicks(1));
        Assert.False(token.IsCancellationRequested);
        _clock.Advance(TimeSpan.FromMilliseconds(10));
        Assert.True(token.IsCancellationRequested);
        _clock.Advance(s_second);
        Assert.Equal((0, 0), (Count(), _clock.ArmedTimers));
    }

    // Calibrated by letting TimeoutTokenSource.TryUse return true also for a source that was dropped: the token is
    // never cancelled.
    [Fact]
    public void Get_FindsTheTokenWhileItIsDropped_GetsAnother()
    {
        var tokens = (TimeoutTokens)Services.Field(_service, "_timeoutTokens")!;
        tokens.MakeAhead(4);
        var sources = (ConcurrentDictionary<long, TimeoutTokenSource>)Services.Field(tokens, "_sources")!;
        Assert.True(sources[4].TryDrop());

        var token = _service.GetTimeoutToken(s_second);
        _clock.Advance(s_second);

        Assert.True(token.IsCancellationRequested);
        Assert.Equal((0, 0), (Count(), _clock.ArmedTimers));
    }

    [Fact]
    public void TryDrop_SomebodyHasTheToken_IsRefused()
    {
        using var source = new TimeoutTokenSource((TimeoutTokens)Services.Field(_service, "_timeoutTokens")!, index: 4);

        Assert.True(source.TryUse(out var isFirst) && isFirst);
        Assert.True(source.TryUse(out isFirst) && !isFirst);
        Assert.False(source.TryDrop());
    }

    // Uses the timeout twice, in neighbouring buckets.
    private static CancellationToken Use(TimerService service, ManualTimeProvider clock)
    {
        _ = service.GetTimeoutToken(s_second);
        clock.Advance(s_bucket);
        return service.GetTimeoutToken(s_second);
    }

    private int Count() => _service.GetSnapshot().TimeoutTokens;

    private int Remembered()
    {
        var ahead = Services.Field(Services.Field(_service, "_timeoutTokens")!, "_ahead")!;
        return ((System.Collections.ICollection)Services.Field(ahead, "_recent")!).Count;
    }
}

using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timeouts;

/// <summary>
/// Shared timeout tokens when their timer cannot be created. After the end of the service the clock creates it, so a
/// failure of the clock is a failure of the token.
/// </summary>
public sealed class TimeoutTokenFailureTests : IDisposable
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly HandClock _clock = new();
    private readonly TimerService _service;

    public TimeoutTokenFailureTests()
    {
        _service = new TimerService(clock: _clock);
        _service.Dispose();
    }

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Get_TheTimerCannotBeSet_TheCallerHearsAndTheNextTokenIsCancelled()
    {
        _clock.Changed = static () => throw new IOException("Thrown by the clock.");
        Assert.Throws<IOException>(() => _service.GetTimeoutToken(s_second));
        Assert.Equal(0, _service.GetSnapshot().TimeoutTokens);

        _clock.Changed = null;
        var token = _service.GetTimeoutToken(s_second);
        _clock.SkipAndRing(s_second);

        Assert.True(token.IsCancellationRequested);
    }

    [Fact]
    public void Get_WhileTheTimerOfAnotherCannotBeSet_GivesATokenThatIsCancelled()
    {
        // The source was published before it was armed. So another caller found it, and its token was never cancelled.
        CancellationToken token = default;
        _clock.Changed = () =>
        {
            _clock.Changed = null;
            token = _service.GetTimeoutToken(s_second);
            throw new IOException("Thrown by the clock.");
        };
        Assert.Throws<IOException>(() => _service.GetTimeoutToken(s_second));

        _clock.SkipAndRing(s_second);

        Assert.True(token.IsCancellationRequested);
    }

    [Fact]
    public void Get_TwoMakeTheSourceAtOnce_HaveTheSameTokenAndOneTimer()
    {
        CancellationToken other = default;
        _clock.Changed = () =>
        {
            _clock.Changed = null;
            other = _service.GetTimeoutToken(s_second);
        };

        var token = _service.GetTimeoutToken(s_second);

        Assert.Equal(other, token);
        _clock.SkipAndRing(s_second);
        Assert.True(token.IsCancellationRequested);
        Assert.Equal((0, null), (_service.GetSnapshot().TimeoutTokens, _clock.NextWait));
    }

    [Fact]
    public void Get_TheBucketEndsWhileItsSourceIsMade_LeavesNothingBehind()
    {
        // The source sets its timer twice. The first time, when it is created, it sets the timer to infinite.
        var changes = _clock.Changes;
        _clock.Changed = () =>
        {
            if (_clock.Changes == changes + 2)
            {
                _clock.Changed = null;
                _clock.SkipAndRing(s_second);
            }
        };

        var token = _service.GetTimeoutToken(s_second);

        Assert.True(token.IsCancellationRequested);
        Assert.Equal(0, _service.GetSnapshot().TimeoutTokens);
    }

    [Fact]
    public void Get_OneTokenAheadCannotBeMade_LaterOnesAre()
    {
        var clock = new HandClock();
        using var service = new TimerService(clock: clock);
        FailInARound(service, clock, "MakeSources");

        PassBuckets(clock, 16);

        Assert.NotEqual(0, service.GetSnapshot().TimeoutTokens);
    }

    // The rounds counted as running although no round was to come, so nobody started them again.
    [Fact]
    public void Get_AfterARoundThatCouldNotReadTheTime_StartsTheRoundsAgain()
    {
        var clock = new HandClock();
        using var service = new TimerService(clock: clock);
        FailInARound(service, clock, nameof(ScalableTimers.Timeouts.TokensAhead));
        PassBuckets(clock, 16);
        Assert.Equal(0, service.GetSnapshot().TimeoutTokens);

        _ = service.GetTimeoutToken(s_second);
        PassBuckets(clock, 1);
        _ = service.GetTimeoutToken(s_second);
        PassBuckets(clock, 16);

        Assert.NotEqual(0, service.GetSnapshot().TimeoutTokens);
    }

    // The timeout counted as regular, with no round to come, and no use of it started any.
    [Fact]
    public void Get_AfterTheRoundsCouldNotBeStarted_StartsThem()
    {
        var clock = new HandClock();
        using var service = new TimerService(clock: clock);
        _ = service.GetTimeoutToken(s_second);
        PassBuckets(clock, 1);
        clock.BeforeReading = () =>
        {
            if (Environment.StackTrace.Contains("TokensAhead.Start", StringComparison.Ordinal))
            {
                clock.BeforeReading = null;
                throw new IOException("Thrown by the clock.");
            }
        };
        Assert.Throws<IOException>(() => service.GetTimeoutToken(s_second));
        Assert.Null(clock.BeforeReading);

        for (var i = 0; i < 2; i++)
        {
            PassBuckets(clock, 1);
            _ = service.GetTimeoutToken(s_second);
        }

        PassBuckets(clock, 16);

        Assert.NotEqual(0, service.GetSnapshot().TimeoutTokens);
    }

    /// <summary>
    /// Uses a timeout regularly, and makes the clock fail once in a round, when a given method or type is on the stack.
    /// </summary>
    private static void FailInARound(TimerService service, HandClock clock, string where)
    {
        for (var i = 0; i < 3; i++)
        {
            PassBuckets(clock, 1);
            _ = service.GetTimeoutToken(s_second);
        }

        var failures = 0;
        clock.BeforeReading = () =>
        {
            if (failures == 0 && Environment.StackTrace.Contains(where, StringComparison.Ordinal))
            {
                failures++;
                throw new IOException("Thrown by the clock.");
            }
        };
        for (var i = 0; i < 16 && failures == 0; i++)
        {
            PassBuckets(clock, 1);
        }

        Assert.Equal(1, failures);
    }

    private static void PassBuckets(HandClock clock, int count)
    {
        for (var i = 0; i < count; i++)
        {
            clock.SkipAndRing(TimeSpan.FromMilliseconds(250));
        }
    }
}

using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.TestingHost.Logging;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Messaging;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests.Messaging;

public sealed class StallsTests : IDisposable
{
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly Stalls _stalls;

    public StallsTests() => _stalls = new Stalls(_clock);

    public void Dispose() => _stalls.Dispose();

    [Fact]
    public void GraceOfTimeout_TimersAreAsLateAsUsual_IsZero()
    {
        _stalls.ExpectBeat(s_second);
        _clock.Advance(s_second + _stalls.UsualLag);

        Assert.Equal(TimeSpan.Zero, _stalls.GraceOfTimeout());
        Assert.Equal(TimeSpan.Zero, _stalls.GraceOfTimeout(_stalls.UsualLag));
        Assert.Equal(0, _stalls.Count);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void GraceOfTimeout_HeartbeatOrATimerIsLate_IsTheSameForAllAndCountsOnce(bool heartbeat)
    {
        if (heartbeat)
        {
            _stalls.ExpectBeat(s_second);
        }

        _clock.Advance(s_second * 8);

        Assert.Equal(Stalls.Grace, _stalls.GraceOfTimeout(heartbeat ? TimeSpan.Zero : s_second * 3));
        _clock.Advance(Stalls.Grace - s_instant);
        Assert.Equal(s_instant, _stalls.GraceOfTimeout());
        Assert.Equal(s_instant, _stalls.GraceOfTimeout(s_second * 5));
        _clock.Advance(s_instant);
        Assert.Equal(TimeSpan.Zero, _stalls.GraceOfTimeout(s_second * 5));
        Assert.Equal(1, _stalls.Count);
    }

    // Seen to fail without the recovery: a thread pool that is blocked for good made every timeout wait.
    [Theory]
    [InlineData(false, 1.5, false)]
    [InlineData(true, 1.5, true)]
    [InlineData(false, 8, true)]
    public void GraceOfTimeout_LateAgain_IsGivenIfRecoveredOrMuchLater(bool hasRecovered, double lag, bool isGiven)
    {
        _ = _stalls.GraceOfTimeout(s_second);
        _clock.Advance(Stalls.Recovery);
        _ = _stalls.GraceOfTimeout(s_second);
        _stalls.ExpectBeat(hasRecovered ? Stalls.Recovery + s_instant : Stalls.Recovery);
        _clock.Advance(Stalls.Recovery + (s_second * lag));

        Assert.Equal(isGiven ? Stalls.Grace : TimeSpan.Zero, _stalls.GraceOfTimeout());
        Assert.Equal(isGiven ? 2 : 1, _stalls.Count);
    }

    // Seen to fail with one memory for short and long lags: a machine that was always a little late had no stall.
    [Fact]
    public void GraceOfTimeout_TimersAreAlwaysALittleLate_IsGivenForEachAndForALongStall()
    {
        _ = _stalls.GraceOfTimeout(s_second * 8);
        for (var times = 0; times < 5; times++)
        {
            _clock.Advance(s_second * 1.9);
            Assert.Equal(s_second / 10, _stalls.GraceOfTimeout(s_second / 10));
        }

        _clock.Advance(s_second * 8);

        Assert.Equal(Stalls.Grace, _stalls.GraceOfTimeout(s_second * 7));
    }

    // Seen to fail when only the first timer decided: a stall of 8 s was neither counted nor logged.
    [Fact]
    public void GraceOfTimeout_ALaterTimerShowsThatTheStallWasLong_IsCountedOnce()
    {
        _clock.Advance(s_second * 10);
        Assert.Equal(s_second / 10, _stalls.GraceOfTimeout(s_second / 10));

        Assert.Equal((Stalls.Grace, 1L), (_stalls.GraceOfTimeout(s_second * 5), _stalls.Count));
        Assert.Equal((Stalls.Grace, 1L), (_stalls.GraceOfTimeout(s_second * 8), _stalls.Count));
    }

    // Seen to fail when a stall that gave no grace left no mark: its next timer, less late, began another stall.
    [Fact]
    public void GraceOfTimeout_MixedLagsWithoutARecovery_IsGivenOnce()
    {
        for (var times = 0; times < 10; times++)
        {
            _clock.Advance(s_second * 1.3);
            var grace = _stalls.GraceOfTimeout(s_second * 1.2);

            Assert.Equal(times == 0 ? Stalls.Grace : TimeSpan.Zero, grace);
            Assert.Equal(grace, _stalls.GraceOfTimeout(s_second / 10));
        }

        Assert.Equal(1, _stalls.Count);
    }

    // Seen to fail when each stall replaced the one before: what was left of its grace was lost.
    [Theory]
    [InlineData(0.55, 0.4)]
    [InlineData(0.03, 0.4)]
    public void GraceOfTimeout_ShortStallDuringGrace_DoesNotShortenIt(double lag, double left)
    {
        _clock.Advance(s_second * 10);
        _ = _stalls.GraceOfTimeout(s_second * 8);
        _clock.Advance(s_second * 0.6);

        Assert.Equal(s_second * left, _stalls.GraceOfTimeout(s_second * lag));
        Assert.Equal(s_second * left, _stalls.GraceOfDeadline(s_second * 5));
    }

    // Seen to fail when a late heartbeat of a stall that had been noticed did not count as late: 2 stalls.
    [Fact]
    public void GraceOfTimeout_HeartbeatComesLongAfterItsStall_DelaysRecovery()
    {
        _ = _stalls.GraceOfTimeout(s_second * 5);
        _stalls.ExpectBeat(s_second);
        _clock.Advance(s_second * 3);
        _ = _stalls.GraceOfTimeout();
        _clock.Advance(s_second * 3);
        _ = _stalls.GraceOfTimeout();
        _stalls.ExpectBeat(s_second / 10);
        _clock.Advance(s_second * 2);

        Assert.Equal((TimeSpan.Zero, 1L), (_stalls.GraceOfTimeout(), _stalls.Count));
    }

    // Seen to fail when the last lag was remembered instead of the longest: every other one was given and logged.
    [Fact]
    public void GraceOfTimeout_AlternatingLags_IsGivenForTheFirstTwo()
    {
        for (var times = 0; times < 20; times++)
        {
            _clock.Advance(s_second * 1.25);
            _ = _stalls.GraceOfTimeout(s_second * (times % 2 == 0 ? 0.51 : 1.1));
        }

        Assert.Equal(2, _stalls.Count);
    }

    [Fact]
    public void GraceOfTimeout_ShortStall_EqualsTheStallAndIsNotCounted()
    {
        Assert.Equal(s_second / 4, _stalls.GraceOfTimeout(s_second / 4));
        Assert.Equal(s_second / 2, _stalls.GraceOfTimeout(s_second / 2));
        _clock.Advance(s_second * 0.4);
        Assert.Equal(s_second * 0.1, _stalls.GraceOfTimeout(s_second * 0.45));
        Assert.Equal(0, _stalls.Count);
    }

    [Theory]
    [InlineData(9, false)]
    [InlineData(8, true)]
    [InlineData(0, true)]
    [InlineData(-1, false)]
    public void GraceOfDeadline_PassedDuringTheStall_IsGivenAsForTimeouts(int secondsBeforeItsEnd, bool isGiven)
    {
        _clock.Advance(s_second * 2);
        _stalls.ExpectBeat(s_second);
        _clock.Advance(s_second * 8);
        _ = _stalls.GraceOfTimeout();
        var later = -Math.Min(0, secondsBeforeItsEnd) * Stalls.Grace / 2;
        _clock.Advance(later);

        var grace = _stalls.GraceOfDeadline(secondsBeforeItsEnd < 0 ? TimeSpan.Zero : s_second * secondsBeforeItsEnd);

        Assert.Equal(isGiven ? Stalls.Grace : TimeSpan.Zero, grace);
    }

    [Theory]
    [InlineData(false, 4, false)]
    [InlineData(false, 3, true)]
    [InlineData(true, 4, false)]
    [InlineData(true, 3, true)]
    public void GraceOfDeadline_TimerWasDueBeforeAnyHeartbeat_StallBeginsThen(
        bool heartbeat, int secondsBeforeItsEnd, bool isGiven)
    {
        _clock.Advance(s_second * 6);
        if (heartbeat)
        {
            _stalls.ExpectBeat(s_second * 3);
        }

        _clock.Advance(s_second * 2);
        _ = _stalls.GraceOfTimeout(s_second * 3);

        Assert.Equal(isGiven ? Stalls.Grace : TimeSpan.Zero, _stalls.GraceOfDeadline(s_second * secondsBeforeItsEnd));
    }

    [Fact]
    public void Of_ServiceOnAFakeClock_SeesNoStall()
    {
        using var timers = new TimerService(new(), clock: _clock);

        Assert.Equal(TimeSpan.Zero, CallTimers.Of(timers).Stalls.GraceOfTimeout(TimeSpan.FromHours(1)));
    }

    [Fact]
    public void Stall_OfASilo_IsLoggedOnceAndCounted()
    {
        var log = new InMemoryLogBuffer();
        using var host = TestHosts.Silo(silo => silo.AddScalableTimers().Services.AddLogging(
            logging => logging.AddProvider(new InMemoryLoggerProvider(log))));
        var stalls = host.Services.GetRequiredService<Stalls>();

        _ = stalls.GraceOfTimeout(TimeSpan.FromMinutes(1));
        _ = stalls.GraceOfTimeout(TimeSpan.FromMinutes(1));

        Assert.Equal(TimeSpan.FromMilliseconds(20), stalls.UsualLag);
        Assert.Same(stalls, host.Services.GetRequiredService<CallTimers>().Stalls);
        Assert.Equal(1, stalls.Count);
        var entry = Assert.Single(log.AllEntries, static entry => entry.Category == "ScalableTimers.Orleans.Stalls");
        Assert.Equal(LogLevel.Warning, entry.LogLevel);
        Assert.Contains("a timer was 00:01:0", entry.Message, StringComparison.Ordinal);
    }
}

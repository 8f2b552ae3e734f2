using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Faults;

/// <summary>
/// A user's clock throws: so does the call that meets the exception, its timer is not set, and the next call works.
/// </summary>
public sealed class FaultyClockTests : IDisposable
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly HandClock _clock = new();
    private readonly TimerService _service;
    private int _fired;

    public FaultyClockTests() => _service = Services.OnThePool(_clock);

    public static TheoryData<string> Calls { get; } =
        ["Schedule", "Delay", "CreateTimer", "TimeProvider", "GetTimeoutToken"];

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Change_ThrowsDuringConstruction_SoDoesTheConstructor()
    {
        _clock.Changed = static () => throw new IOException("Thrown by the clock.");

        Assert.Throws<IOException>(() => new TimerService(new(), clock: _clock));
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public void GetTimestamp_Throws_NothingIsSetAndTheNextCallWorks(string call)
    {
        _service.Schedule(static _ => { }, null, Timeout.InfiniteTimeSpan);
        _clock.BeforeReading = static () => throw new IOException("Thrown by the clock.");
        Assert.Throws<IOException>(() => Start(call));
        _clock.BeforeReading = null;

        RequireOnlyTheNextIsSet(call);
    }

    // Seen to fail without taking the timer back when the clock cannot be set.
    [Theory]
    [MemberData(nameof(Calls))]
    public void Change_Throws_NothingIsSetAndTheNextCallWorks(string call)
    {
        _service.Schedule(static _ => { }, null, Timeout.InfiniteTimeSpan);
        _clock.Changed = static () => throw new IOException("Thrown by the clock.");
        Assert.Throws<IOException>(() => Start(call));
        _clock.Changed = null;

        RequireOnlyTheNextIsSet(call);
    }

    // Failed when the queue then published the start of its earliest slot: the driver slept past the next timer.
    [Fact]
    public void Change_ThrowsBesideAPendingTimer_TheNextOneIsOnTime()
    {
        _service.Schedule(static _ => { }, null, 80 * s_second);
        _clock.Changed = static () => throw new IOException("Thrown by the clock.");
        Assert.Throws<IOException>(() => _service.Schedule(static _ => { }, null, 40 * s_second));
        _clock.Changed = null;

        _service.Schedule(static _ => { }, null, 45 * s_second);

        Assert.Equal(45 * s_second, _clock.NextWait);
    }

    // Seen to fail without raising the driver's tick again.
    [Fact]
    public void Change_ThrowsWhenATimerIsMovedEarlier_IsUnsetAndCanBeSetAgain()
    {
        using var timer = _service.TimeProvider.CreateTimer(
            _ => _fired++, null, 2 * s_second, Timeout.InfiniteTimeSpan);
        var scheduled = _service.Schedule(_ => _fired += 10, null, 2 * s_second);
        _clock.Changed = static () => throw new IOException("Thrown by the clock.");
        Assert.Throws<IOException>(() => timer.Change(s_second, Timeout.InfiniteTimeSpan));
        Assert.Throws<IOException>(() => scheduled.Reschedule(s_second));
        _clock.Changed = null;
        Assert.Equal((0L, false), (_service.GetSnapshot().Pending, scheduled.Cancel()));

        Assert.True(timer.Change(s_second, Timeout.InfiniteTimeSpan));
        _clock.SkipAndRing(s_second);
        Wait.Until(() => _service.GetSnapshot().Fired == 1, "the timer");

        Assert.Equal(1, _fired);
    }

    // Seen to fail when the clock's exception ended the timer for good.
    [Fact]
    public void Change_OfACreatedTimerFails_NextChangeWorks()
    {
        using var timer = _service.CreatePeriodicTimer(_ => _fired++, null, 2 * s_second, Timeout.InfiniteTimeSpan);
        _clock.Changed = static () => throw new IOException("Thrown by the clock.");
        Assert.Throws<IOException>(() => timer.Change(s_second, Timeout.InfiniteTimeSpan));
        _clock.Changed = null;
        var snapshot = _service.GetSnapshot();
        Assert.Equal((0L, 0L, 2L), (snapshot.Pending, snapshot.Dropped, snapshot.Cancelled));

        Assert.True(timer.Change(s_second, Timeout.InfiniteTimeSpan));
        _clock.SkipAndRing(s_second);

        Wait.Until(() => Volatile.Read(ref _fired) == 1, "the timer");
    }

    // Seen to fail when the clock was set, and threw, before expired timers had fired.
    [Fact]
    public void Ring_ServiceIsDisposedAndClockThrows_TokenIsCancelled()
    {
        var token = _service.GetTimeoutToken(s_second);
        _service.Dispose();
        _clock.Changed = static () => throw new IOException("Thrown by the clock.");

        _ = Record.Exception(() => _clock.SkipAndRing(2 * s_second));

        Assert.True(token.IsCancellationRequested);
        Assert.Equal((0L, 1L), (_service.GetSnapshot().InFlight, _service.GetSnapshot().Fired));
    }

    private void RequireOnlyTheNextIsSet(string call)
    {
        Assert.Equal(1, _service.GetSnapshot().Pending);
        Wait.ForThread(() => _service.Schedule(_ => _fired += 100, null, 4 * s_second));
        Start(call);
        Assert.Equal(3, _service.GetSnapshot().Pending);

        _clock.SkipAndRing(3 * s_second);

        Wait.Until(() => Volatile.Read(ref _fired) == 1, "the next timer");
    }

    private void Start(string call)
    {
        switch (call)
        {
            case "Schedule":
                _service.Schedule(_ => _fired++, null, s_second);
                break;
            case "Delay":
                _ = CountWhenOver(_service.Delay(s_second));
                break;
            case "CreateTimer":
                _ = _service.CreatePeriodicTimer(_ => _fired++, null, s_second, Timeout.InfiniteTimeSpan);
                break;
            case "TimeProvider":
                _ = _service.TimeProvider.CreateTimer(_ => _fired++, null, s_second, Timeout.InfiniteTimeSpan);
                break;
            case "GetTimeoutToken":
                _ = _service.GetTimeoutToken(s_second).Register(() => _fired++);
                break;
        }
    }

    private async Task CountWhenOver(ValueTask delay)
    {
        await delay;
        _fired++;
    }
}

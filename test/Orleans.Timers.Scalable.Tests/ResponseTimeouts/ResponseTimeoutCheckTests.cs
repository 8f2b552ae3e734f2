using Orleans.Timers.Scalable.Clocks;
using Orleans.Timers.Scalable.ResponseTimeouts;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

public sealed class ResponseTimeoutCheckTests
{
    private static readonly TimeSpan s_stock = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_idle = TimeSpan.FromMilliseconds(200);

    private readonly ManualTimeProvider _clock = new();
    private readonly LateClock _late;
    private readonly List<TimeSpan> _checks = [];
    private bool _isIdle;

    public ResponseTimeoutCheckTests() => _late = new LateClock(_clock);

    [Fact]
    public void BeforeItBegins_FiresAsOrleansSaid()
    {
        using var check = Create();

        _clock.Advance(TimeSpan.FromSeconds(2.5));

        Assert.Equal([TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2)], _checks);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Begin_CallsAreOutstandingOrNot_FiresAtTheShortOrTheLongPeriod(bool isIdle)
    {
        _isIdle = isIdle;
        using var check = Create();
        Begin(check);
        var rest = isIdle ? s_idle : s_period;

        _clock.Advance(s_period + (rest * 2));

        Assert.Equal([s_period, s_period + rest, s_period + (rest * 2)], _checks);
    }

    [Fact]
    public void Dispose_AfterItHasBegun_EndsIt()
    {
        var check = Create();
        Begin(check);

        check.Dispose();
        Begin(check);
        _clock.Advance(s_stock);

        Assert.Empty(_checks);
        Assert.Equal(0, _clock.ArmedTimers);
    }

    // Without the wait, Orleans ended the calls whose answers lay in the socket.
    [Fact]
    public void Fire_ProcessStoodStill_WaitsOnceForTheAnswers()
    {
        using var check = Create();
        Begin(check);
        _late.Lag = TimeSpan.FromSeconds(8);

        _clock.Advance(s_period + Stalls.Grace + s_period);

        Assert.Equal([s_period + Stalls.Grace, s_period + Stalls.Grace + s_period], _checks);
    }

    // With a wait for every late firing, no call would end on a machine that is always busy.
    [Fact]
    public void Fire_AlwaysLate_ChecksAtEverySecondFiring()
    {
        using var check = Create();
        Begin(check);

        for (var firings = 0; firings < 6; firings++)
        {
            _late.Lag += TimeSpan.FromSeconds(8);
            _clock.Advance(firings % 2 == 0 ? s_period : Stalls.Grace);
        }

        Assert.Equal([1, 2, 3], _checks.Select(at => (int)(at / (s_period + Stalls.Grace))));
    }

    private ResponseTimeoutCheck Create() => new(_late, _ => _checks.Add(_clock.Elapsed), state: null, s_stock);

    private void Begin(ResponseTimeoutCheck check) =>
        check.Begin(
            new CheckPeriod(TimeSpan.FromMilliseconds(200), s_period, s_idle), () => _isIdle, new Stalls(_late));

    /// <summary>A clock whose timers fire late.</summary>
    private sealed class LateClock(ManualTimeProvider clock) : TimeProvider
    {
        internal TimeSpan Lag { get; set; }

        public override long TimestampFrequency => clock.TimestampFrequency;

        public override long GetTimestamp() => clock.GetTimestamp() + Lag.Ticks;

        public override ITimer CreateTimer(
            TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            clock.CreateTimer(callback, state, dueTime, period);
    }
}

using Orleans.Timers.Scalable.ResponseTimeouts;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

public sealed class ResponseTimeoutCheckTests
{
    private static readonly TimeSpan s_stock = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_idle = TimeSpan.FromMilliseconds(200);

    private readonly ManualTimeProvider _clock = new();
    private readonly List<TimeSpan> _checks = [];
    private bool _isIdle;

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

    private ResponseTimeoutCheck Create() => new(_clock, _ => _checks.Add(_clock.Elapsed), state: null, s_stock);

    private void Begin(ResponseTimeoutCheck check) =>
        check.Begin(new CheckPeriod(TimeSpan.FromMilliseconds(200), s_period, s_idle), () => _isIdle);
}

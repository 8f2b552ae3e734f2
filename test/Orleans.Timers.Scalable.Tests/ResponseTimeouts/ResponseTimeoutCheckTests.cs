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

    [Fact]
    public void Begin_CallsAreOutstanding_FiresAtTheShortPeriod()
    {
        using var check = Create();
        Begin(check);

        _clock.Advance(s_period * 3);

        Assert.Equal([s_period, s_period * 2, s_period * 3], _checks);
    }

    [Fact]
    public void Begin_NoneIsOutstanding_FiresAtTheLongPeriod()
    {
        using var check = Create();
        _isIdle = true;
        Begin(check);

        _clock.Advance(TimeSpan.FromMilliseconds(620));

        Assert.Equal([s_period, s_period + s_idle, s_period + (s_idle * 2), s_period + (s_idle * 3)], _checks);
    }

    [Fact]
    public void Change_ByItsOwner_MeansWhatItSays()
    {
        using var check = Create();
        Begin(check);

        check.Change(TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(7));
        _clock.Advance(TimeSpan.FromSeconds(20));

        Assert.Equal([TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(12), TimeSpan.FromSeconds(19)], _checks);
    }

    [Fact]
    public void Change_InsideTheCheck_IsNotOverruled()
    {
        ResponseTimeoutCheck? check = null;
        check = new ResponseTimeoutCheck(
            _clock, _ => check!.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan), state: null, s_stock);
        Begin(check);

        _clock.Advance(s_period);

        Assert.Equal(0, _clock.ArmedTimers);
        check.Dispose();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Dispose_AfterItHasBegun_EndsIt(bool async)
    {
        var check = Create();
        Begin(check);
        if (async)
        {
            await check.DisposeAsync();
        }
        else
        {
            check.Dispose();
        }

        Begin(check);
        _clock.Advance(s_stock);

        Assert.Empty(_checks);
        Assert.Equal(0, _clock.ArmedTimers);
    }

    private ResponseTimeoutCheck Create() => new(_clock, _ => _checks.Add(_clock.Elapsed), state: null, s_stock);

    private void Begin(ResponseTimeoutCheck check) =>
        check.Begin(new CheckPeriod(TimeSpan.FromMilliseconds(200), s_period, s_idle), () => _isIdle);
}

namespace Orleans.Timers.Scalable.Tests;

public sealed class ActivationPinTests
{
    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(30);
    private readonly FakeTimerRegistry _timers = new();
    private readonly ActivationPin _pin;

    public ActivationPinTests() => _pin = new ActivationPin(_timers, context: null!, s_period);

    [Fact]
    public void OnBegun_TheFirst_RegistersATimerThatTicksAtOnceAndKeepsAlive()
    {
        _pin.OnBegun();
        _pin.OnBegun();

        Assert.Equal(1, _timers.Created);
        Assert.Equal(
            new GrainTimerCreationOptions(TimeSpan.Zero, s_period) { Interleave = true, KeepAlive = true },
            _timers.Options);
    }

    [Fact]
    public void Tick_ADelayIsPending_GoesOn()
    {
        _pin.OnBegun();
        for (var i = 0; i < 5; i++)
        {
            _timers.Tick();
            Assert.True(_timers.IsTicking);
        }

        Assert.Equal(1, _timers.Created);
    }

    [Fact]
    public void Tick_OneWasBegunAndHasEndedSinceTheLast_GoesOnOnceMore()
    {
        // Calibrated by checking only _pending: the timer ends with the first tick, and a loop of short delays is not
        // kept alive.
        for (var i = 0; i < 5; i++)
        {
            _pin.OnBegun();
            _pin.OnEnded();
            _timers.Tick();
            Assert.True(_timers.IsTicking);
        }

        _timers.Tick();
        Assert.False(_timers.IsTicking);
        Assert.Equal(1, _timers.Created);
    }

    [Fact]
    public void OnBegun_TheTimerHasBeenDisposed_RegistersAnother()
    {
        _pin.OnBegun();
        _pin.OnEnded();
        _timers.Tick();
        _timers.Tick();
        Assert.False(_timers.IsTicking);

        _pin.OnBegun();

        Assert.Equal(2, _timers.Created);
        Assert.True(_timers.IsTicking);
    }

    [Fact]
    public void OnBegun_WhileTheLastTickRuns_ATimerTicksAfterwards()
    {
        // The timer is disposed when the tick has seen that nothing is pending, but has not yet published that the
        // ticking is over. Calibrated by not reading _isUsed again after that: fails.
        _pin.OnBegun();
        _pin.OnEnded();
        _timers.Tick();
        _timers.WhenDisposed = _pin.OnBegun;

        _timers.Tick();

        Assert.Equal(2, _timers.Created);
        Assert.True(_timers.IsTicking);
    }
}

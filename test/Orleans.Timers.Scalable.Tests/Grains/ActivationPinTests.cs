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
        Assert.Equal(new GrainTimerCreationOptions(TimeSpan.Zero, s_period) { Interleave = true, KeepAlive = true }, _timers.Options);
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
        // Calibrated by looking at _pending alone: ends with the first tick, and a loop of short delays is not kept alive.
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
    public async Task OnBegun_WhileTheLastTickRuns_ATimerTicksAfterwards()
    {
        // Calibrated by not looking at _isUsed again after _isTicking is cleared: fails within 20,000 rounds in Release on two cores.
        const int Rounds = 20_000;
        using var barrier = new Barrier(2);
        var other = Task.Factory.StartNew(
            () =>
            {
                for (var i = 0; i < Rounds; i++)
                {
                    barrier.SignalAndWait();
                    _pin.OnBegun();
                    barrier.SignalAndWait();
                }
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);

        var missed = 0;
        for (var i = 0; i < Rounds; i++)
        {
            _pin.OnBegun();
            _pin.OnEnded();
            _timers.Tick();
            barrier.SignalAndWait();
            _timers.Tick();
            barrier.SignalAndWait();
            missed += _timers.IsTicking ? 0 : 1;
            _pin.OnEnded();
            for (var tick = 0; tick < 2 && _timers.IsTicking; tick++)
            {
                _timers.Tick();
            }
        }

        await other.Guarded("the other thread is done");
        Assert.Equal(0, missed);
    }
}

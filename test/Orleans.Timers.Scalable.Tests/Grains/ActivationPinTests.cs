using Orleans.Timers.Scalable.Grains;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>How long the timer behind <see cref="KeepAliveTests"/> ticks.</summary>
public sealed class ActivationPinTests
{
    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(30);
    private readonly FakeTimerRegistry _timers = new();
    private readonly ActivationPin _pin;

    public ActivationPinTests() => _pin = new ActivationPin(_timers, context: null!, end: null!, s_period);

    [Fact]
    public void Tick_DelayCameAndWentSinceTheLast_TicksOnceMore()
    {
        // Seen to fail when only _pending is checked: the timer ends with the first tick, and a loop of short delays is
        // not kept alive.
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
    public void OnBegun_WhileTheLastTickRuns_ATimerTicksAfterwards()
    {
        // The timer is disposed when the tick has seen that nothing is pending, but has not yet published that the
        // ticking is over. Seen to fail without reading _isUsed again after that.
        _pin.OnBegun();
        _pin.OnEnded();
        _timers.Tick();
        _timers.WhenDisposed = _pin.OnBegun;

        _timers.Tick();

        Assert.Equal(2, _timers.Created);
        Assert.True(_timers.IsTicking);
    }

    /// <summary>Creates grain timers that tick when a test says so.</summary>
    private sealed class FakeTimerRegistry : ITimerRegistry
    {
        private Func<Task>? _lastCallback;
        private CancellationToken _lastDisposed;

        internal int Created { get; private set; }

        /// <summary>Whether the last registered timer has not been disposed.</summary>
        internal bool IsTicking => _lastCallback is not null && !_lastDisposed.IsCancellationRequested;

        /// <summary>Runs while a timer is being disposed.</summary>
        internal Action? WhenDisposed { get; set; }

        public IGrainTimer RegisterGrainTimer<TState>(
            IGrainContext grainContext,
            Func<TState, CancellationToken, Task> callback,
            TState state,
            GrainTimerCreationOptions options)
        {
            var timer = new FakeTimer(this);
            Created++;
            _lastDisposed = timer.Disposed;
            _lastCallback = () => callback(state, CancellationToken.None);
            return timer;
        }

        public IDisposable RegisterTimer(
            IGrainContext grainContext, Func<object?, Task> tick, object? state, TimeSpan dueTime, TimeSpan period) =>
            throw new NotSupportedException();

        internal void Tick() => Assert.True(_lastCallback!().IsCompletedSuccessfully);
    }

    private sealed class FakeTimer(FakeTimerRegistry registry) : IGrainTimer
    {
        private readonly CancellationTokenSource _disposed = new();

        internal CancellationToken Disposed => _disposed.Token;

        public void Change(TimeSpan dueTime, TimeSpan period) => throw new NotSupportedException();

        public void Dispose()
        {
            _disposed.Cancel();
            registry.WhenDisposed?.Invoke();
        }
    }
}

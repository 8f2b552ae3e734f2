namespace Orleans.Timers.Scalable.Tests;

/// <summary>Creates grain timers that tick when a test says so.</summary>
internal sealed class FakeTimerRegistry : ITimerRegistry
{
    private Func<Task>? _lastCallback;
    private CancellationToken _lastDisposed;

    internal int Created { get; private set; }

    internal GrainTimerCreationOptions Options { get; private set; }

    /// <summary>Whether the timer that was registered last has not been disposed.</summary>
    internal bool IsTicking => _lastCallback is not null && !_lastDisposed.IsCancellationRequested;

    public IGrainTimer RegisterGrainTimer<TState>(
        IGrainContext grainContext,
        Func<TState, CancellationToken, Task> callback,
        TState state,
        GrainTimerCreationOptions options)
    {
        var timer = new FakeTimer(this);
        Created++;
        Options = options;
        _lastDisposed = timer.Disposed;
        _lastCallback = () => callback(state, CancellationToken.None);
        return timer;
    }

    public IDisposable RegisterTimer(
        IGrainContext grainContext,
        Func<object?, Task> asyncCallback,
        object? state,
        TimeSpan dueTime,
        TimeSpan period) =>
        throw new NotSupportedException();

    /// <summary>Runs while a timer is being disposed.</summary>
    internal Action? WhenDisposed { get; set; }

    internal void Tick() => Assert.True(_lastCallback!().IsCompletedSuccessfully);

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

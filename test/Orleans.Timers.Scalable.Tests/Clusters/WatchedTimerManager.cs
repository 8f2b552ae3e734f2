using Orleans.Timers.Internal;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Tells when a delay has begun, and of what duration.</summary>
internal sealed class WatchedTimerManager(ITimerManager timers) : ITimerManager
{
    private TaskCompletionSource<TimeSpan> _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The next delay that begins.</summary>
    internal Task<TimeSpan> NextDelay()
    {
        _begun = new TaskCompletionSource<TimeSpan>(TaskCreationOptions.RunContinuationsAsynchronously);
        return _begun.Task;
    }

    public Task<bool> Delay(TimeSpan timeSpan, CancellationToken cancellationToken = default)
    {
        var delay = timers.Delay(timeSpan, cancellationToken);
        _begun.TrySetResult(timeSpan);
        return delay;
    }
}

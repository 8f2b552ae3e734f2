using Orleans.Timers.Internal;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Reports when a delay has begun, and its duration.</summary>
internal sealed class WatchedTimerManager(ITimerManager timers) : ITimerManager
{
    private TaskCompletionSource<TimeSpan> _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>A task with the next delay that begins.</summary>
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

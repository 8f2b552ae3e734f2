using System.Threading.Tasks.Sources;
using ScalableTimers.Clock;
using ScalableTimers.Collections;
using Tasks = System.Threading.Tasks.Task;

namespace ScalableTimers.Timers;

/// <summary>
/// A delay as a task that outlives the service. The result is true when the time has passed and false when cancelled.
/// The task fails only if the clock throws.
/// </summary>
/// <remarks>
/// The delay waits on a pooled <see cref="DelayEntry"/>, so only the task and its source are allocated. When the
/// service is disposed, the clock drives the delay for the rest of its time. Except in virtual time, continuations
/// after a cancellation do not run on the cancelling thread's stack.
/// </remarks>
internal sealed class DetachedDelay : TaskCompletionSource<bool>
{
    private static readonly Action<object?> s_end = static delay => ((DetachedDelay)delay!).End();
    private static readonly TimeSpan s_longestWait = TimeSpan.FromDays(40);

    private readonly TickClock _clock;
    private readonly CancellationToken _token;
    private readonly long _dueAt;
    private DelayEntry? _entry;

    private DetachedDelay(CollectionRegistry collections, long dueAt, CancellationToken token)
        : base(collections.IsShared ? TaskCreationOptions.None : TaskCreationOptions.RunContinuationsAsynchronously)
    {
        _clock = collections.Clock;
        _dueAt = dueAt;
        _token = token;
    }

    /// <param name="collections">The collections of a service, which may have been disposed.</param>
    /// <param name="dueTime">Positive and not infinite.</param>
    /// <param name="token">Ends the delay.</param>
    internal static Task<bool> Begin(CollectionRegistry collections, TimeSpan dueTime, CancellationToken token)
    {
        if (token.IsCancellationRequested)
        {
            return Tasks.FromResult(false);
        }

        var delay = new DetachedDelay(collections, collections.Clock.DueAt(dueTime), token);
        try
        {
            delay.Begin(collections, dueTime);
        }
        catch (ObjectDisposedException)
        {
            _ = delay.GoOnByClock();
        }

        return delay.Task;
    }

    private void Begin(CollectionRegistry collections, TimeSpan dueTime)
    {
        const DelayOptions Options = DelayOptions.ReportCancellation | DelayOptions.SurvivesStop;
        var collection = CollectionRegistry.Current(collections);
        var entry = DelayEntry.Begin(collection, dueTime, Options, _token, scope: default);
        _entry = entry;
        entry.OnCompleted(s_end, this, entry.Version, default);
    }

    private void End()
    {
        var entry = _entry!;
        _entry = null;
        var hasElapsed = ((IValueTaskSource<bool>)entry).GetResult(entry.Version);
        if (hasElapsed || _token.IsCancellationRequested)
        {
            TrySetResult(hasElapsed);
        }
        else
        {
            _ = GoOnByClock();
        }
    }

    // Nobody awaits this task. Failures are reported through the delay's own task.
    private async Task GoOnByClock()
    {
        try
        {
            TrySetResult(await WaitByClock().ConfigureAwait(false));
        }
#pragma warning disable CA1031 // A user's clock may throw anything.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            TrySetException(exception);
        }
    }

    // A clock's own timer may fire early, as .NET's does by some milliseconds, and it limits how long one wait can be.
    private async Task<bool> WaitByClock()
    {
        for (var rest = _clock.UntilTimestamp(_dueAt); rest > TimeSpan.Zero; rest = _clock.UntilTimestamp(_dueAt))
        {
            var wait = Tasks.Delay(
                rest < s_longestWait ? DueTime.RoundUpToMilliseconds(rest) : s_longestWait, _clock.Provider, _token);
            await wait.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (wait.IsCanceled)
            {
                return false;
            }
        }

        return true;
    }
}

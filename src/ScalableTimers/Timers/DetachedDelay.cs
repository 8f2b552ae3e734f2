using System.Threading.Tasks.Sources;
using ScalableTimers.Clock;
using ScalableTimers.Collections;
using Tasks = System.Threading.Tasks.Task;

namespace ScalableTimers.Timers;

/// <summary>
/// A delay as a task, that outlives the service: true when the time has passed, false when cancelled; an exception only
/// if the clock throws.
/// </summary>
/// <remarks>
/// It waits on a pooled <see cref="DelayEntry"/>, so that the task and its source are all that is allocated. When the
/// service is disposed it goes on by the clock, for the rest of its time. What follows a cancellation does not run
/// inside whoever cancels, except in virtual time.
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

    /// <param name="collections">Those of a service, which may have been disposed.</param>
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
        var entry = DelayEntry.Begin(collections.Current(), dueTime, Options, _token, scope: default);
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

    // Nobody waits for this task: what fails is told by the delay's own.
    private async Task GoOnByClock()
    {
        try
        {
            TrySetResult(await WaitByClock().ConfigureAwait(false));
        }
#pragma warning disable CA1031 // Whatever a user's clock throws.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            TrySetException(exception);
        }
    }

    // A clock's own timer may be early, as .NET's is by some milliseconds, and cannot wait for long.
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

using Orleans.Timers.Internal;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Orleans' <see cref="ITimerManager"/> on the timer service: never early, and cancelled at once.</summary>
/// <remarks>
/// <para>
/// Transaction confirmation takes it from the container to wait between retries. It keeps the contract of the one it
/// replaces: true when the time has passed, false when cancelled, no exception; and what follows a cancellation does not run inside whoever cancels.
/// </para>
/// <para>A wait outlives the service: false at once would send a retry loop spinning.</para>
/// </remarks>
internal sealed class ScalableTimerManager(TimerService timers) : ITimerManager
{
    private static readonly TimeSpan s_shortestWait = TimeSpan.FromMilliseconds(1);

    // What is due already comes at the next tick, as with the original, and does not complete at once in somebody's loop.
    public Task<bool> Delay(TimeSpan timeSpan, CancellationToken cancellationToken = default) =>
        timers.BeginDetachedDelay(timeSpan < s_shortestWait ? s_shortestWait : timeSpan, cancellationToken);
}

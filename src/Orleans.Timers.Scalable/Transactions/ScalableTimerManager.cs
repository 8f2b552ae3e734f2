using Orleans.Timers.Internal;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Orleans' <see cref="ITimerManager"/> on the timer service: never early, and cancelled at once.</summary>
/// <remarks>
/// <para>
/// Transaction confirmation takes it from the container to wait between retries. It keeps the contract of the one it
/// replaces: true when the time has passed, false when cancelled, no exception.
/// </para>
/// <para>
/// It waits on the service's time provider, so that a wait outlives the service: false at once would send a retry loop spinning.
/// </para>
/// </remarks>
internal sealed class ScalableTimerManager(TimerService timers) : ITimerManager
{
    private static readonly TimeSpan s_shortestWait = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_longestWait = TimeSpan.FromDays(40);

    /// <summary>Nobody will see whether it is early.</summary>
    private static readonly TimeSpan s_farAway = TimeSpan.FromDays(36500);

    public async Task<bool> Delay(TimeSpan timeSpan, CancellationToken cancellationToken = default)
    {
        // What is due already comes at the next tick, as with the original, and does not complete at once in somebody's loop.
        // Task.Delay cuts to whole milliseconds, which would be early.
        var rest = timeSpan < s_shortestWait ? s_shortestWait : RoundUpToMilliseconds(timeSpan);
        while (rest > TimeSpan.Zero)
        {
            var wait = rest < s_longestWait ? rest : s_longestWait;
            var delay = Task.Delay(wait, timers.TimeProvider, cancellationToken);
            await delay.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (delay.IsCanceled)
            {
                return false;
            }

            rest -= wait;
        }

        return true;
    }

    private static TimeSpan RoundUpToMilliseconds(TimeSpan wait)
    {
        var rest = wait.Ticks % TimeSpan.TicksPerMillisecond;
        return rest == 0 || wait > s_farAway ? wait : new TimeSpan(wait.Ticks - rest + TimeSpan.TicksPerMillisecond);
    }
}

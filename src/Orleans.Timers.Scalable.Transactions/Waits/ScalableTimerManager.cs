using Orleans.Timers.Internal;
using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>
/// Implements Orleans' <see cref="ITimerManager"/> with the timer service: never early, and cancelled at once.
/// </summary>
/// <remarks>
/// <para>
/// Transaction confirmation uses it to wait between retries. It keeps the contract of the manager that it replaces:
/// true when the time, or 49 days, have passed, false when cancelled, and no exception.
/// </para>
/// <para>A wait outlives the service. If it ended at once with false, a retry loop would spin.</para>
/// </remarks>
internal sealed class ScalableTimerManager(TimerService timers) : ITimerManager
{
    public async Task<bool> Delay(TimeSpan timeSpan, CancellationToken cancellationToken = default)
    {
        // Task.Delay drops fractions of a millisecond. A wait that is already due ends at the next tick, as in the
        // original: completing it at once could make the caller's loop spin.
        var milliseconds = Math.Clamp(Math.Ceiling(timeSpan.TotalMilliseconds), 1, DueTime.MaxTimer.TotalMilliseconds);
        var wait = TimeSpan.FromMilliseconds(milliseconds);
        var delay = Task.Delay(wait, timers.TimeProvider, cancellationToken);
        await delay.ConfigureAwait(
            ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
        return delay.IsCompletedSuccessfully;
    }
}

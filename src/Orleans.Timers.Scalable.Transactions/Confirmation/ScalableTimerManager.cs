using Orleans.Timers.Internal;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Transactions.Confirmation;

/// <summary>
/// Implements Orleans' <see cref="ITimerManager"/> with the timer service: never early, and cancelled at once.
/// </summary>
/// <remarks>
/// <para>
/// Transaction confirmation uses it to wait between retries. It keeps the contract of the manager that it replaces:
/// true when the time has passed, false when cancelled, no exception, and continuations do not run inside the code that
/// cancels.
/// </para>
/// <para>A wait outlives the service. If it ended at once with false, a retry loop would spin.</para>
/// </remarks>
internal sealed class ScalableTimerManager(TimerService timers) : ITimerManager
{
    private static readonly TimeSpan s_shortestWait = TimeSpan.FromMilliseconds(1);

    // A wait that is already due ends at the next tick, as in the original. Completing it at once could make the
    // caller's loop spin.
    public Task<bool> Delay(TimeSpan timeSpan, CancellationToken cancellationToken = default) =>
        DetachedDelay.Begin(timers, timeSpan < s_shortestWait ? s_shortestWait : timeSpan, cancellationToken);
}

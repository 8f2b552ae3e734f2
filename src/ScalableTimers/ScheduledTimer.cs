using ScalableTimers.Clock;
using ScalableTimers.Timers;

namespace ScalableTimers;

/// <summary>A callback scheduled by <see cref="TimerService.Schedule"/>.</summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Cancelling and rescheduling take constant time and allocate nothing. The entry behind a timer is
/// reused, but a <see cref="ScheduledTimer"/> never affects a later timer.
/// </para>
/// <para><b>Accuracy.</b> The same as the service's. Cancelling takes effect before it returns.</para>
/// <para>
/// <b>Order.</b> When cancellation and expiry race, exactly one wins: either the callback runs once, or
/// <see cref="Cancel"/> returns true.
/// </para>
/// <para>
/// <b>Threads.</b> All members may be called concurrently and from any thread. Calls on the scheduling thread are the
/// fastest.
/// </para>
/// <para><b>Equality.</b> Two timers are equal if they came from the same call.</para>
/// </remarks>
public readonly record struct ScheduledTimer : IDisposable
{
    private readonly CallbackEntry? _entry;
    private readonly long _life;

    internal ScheduledTimer(CallbackEntry entry, long life)
    {
        _entry = entry;
        _life = life;
    }

    /// <summary>Cancels the timer and releases its callback and state.</summary>
    /// <returns>
    /// True if the callback will not run. False if it has run, is running or is about to run, or if the timer was
    /// already cancelled or dropped.
    /// </returns>
    public bool Cancel() => _entry is not null && _entry.TryCancel(_life);

    /// <summary>Cancels the timer, as <see cref="Cancel"/> does.</summary>
    public void Dispose() => Cancel();

    /// <summary>Gives the timer a new due time, counted from now.</summary>
    /// <param name="dueTime">The same as for <see cref="TimerService.Schedule"/>.</param>
    /// <returns>
    /// True if the callback will run only at the new time. False if the timer has fired, is about to fire, or was
    /// already cancelled or dropped.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="dueTime"/> is negative and not infinite.
    /// </exception>
    public bool Reschedule(TimeSpan dueTime)
    {
        dueTime = DueTime.Normalize(dueTime);
        return _entry is not null && _entry.TryReschedule(_life, dueTime);
    }
}

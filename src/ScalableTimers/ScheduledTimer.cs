using ScalableTimers.Clock;
using ScalableTimers.Timers;

namespace ScalableTimers;

/// <summary>A callback that <see cref="TimerService.Schedule"/> has scheduled.</summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Cancelling and rescheduling take constant time and allocate nothing. The entry behind it is used again
/// for other timers; a <see cref="ScheduledTimer"/> is safe to keep and has no effect on them, however often that was.
/// </para>
/// <para><b>Accuracy.</b> As <see cref="TimerService.Schedule"/>. Cancelling takes effect before it returns.</para>
/// <para>
/// <b>Order.</b> When cancelling and expiry race, one wins: the callback runs once, or <see cref="Cancel"/> returns
/// true.
/// </para>
/// <para>
/// <b>Threads.</b> All members may be called concurrently and from any thread; the scheduling thread is the fastest.
/// </para>
/// </remarks>
public readonly struct ScheduledTimer : IEquatable<ScheduledTimer>
{
    private readonly CallbackEntry? _entry;
    private readonly long _version;

    internal ScheduledTimer(CallbackEntry entry, long version)
    {
        _entry = entry;
        _version = version;
    }

    /// <summary>Compares two timers.</summary>
    /// <param name="left">The one.</param>
    /// <param name="right">The other.</param>
    /// <returns>True if both came from the same call of <see cref="TimerService.Schedule"/>.</returns>
    public static bool operator ==(ScheduledTimer left, ScheduledTimer right) => left.Equals(right);

    /// <summary>Compares two timers.</summary>
    /// <param name="left">The one.</param>
    /// <param name="right">The other.</param>
    /// <returns>True if they came from different calls of <see cref="TimerService.Schedule"/>.</returns>
    public static bool operator !=(ScheduledTimer left, ScheduledTimer right) => !left.Equals(right);

    /// <summary>Cancels the timer and lets go of its callback and state.</summary>
    /// <returns>
    /// True if the callback will not run. False if it has run, is running or about to, or was cancelled or dropped
    /// before.
    /// </returns>
    public bool Cancel() => _entry is not null && _entry.TryCancel(_version);

    /// <summary>Gives the timer a new due time, from now.</summary>
    /// <param name="dueTime">As for <see cref="TimerService.Schedule"/>.</param>
    /// <returns>
    /// True if the callback will run at the new time only. False if it has fired, is about to, or was cancelled or
    /// dropped before.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="dueTime"/> is negative and not infinite.
    /// </exception>
    public bool Reschedule(TimeSpan dueTime)
    {
        dueTime = DueTime.Normalize(dueTime);
        return _entry is not null && _entry.TryReschedule(_version, dueTime);
    }

    /// <inheritdoc/>
    public bool Equals(ScheduledTimer other) => ReferenceEquals(_entry, other._entry) && _version == other._version;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is ScheduledTimer other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(_entry, _version);
}

using System.Runtime.CompilerServices;
using ScalableTimers.Clock;
using ScalableTimers.Collections;
using ScalableTimers.Firing;

namespace ScalableTimers.Timers;

/// <summary>
/// A timer of <see cref="ScalableTimeProvider"/>: accepts what .NET's timers accept. Its callback runs in no context of
/// its own.
/// </summary>
/// <remarks>
/// Once the service has been disposed a <see cref="SuccessorTimer"/> on the underlying clock drives it.
/// </remarks>
internal class ProviderTimer(TimerCollection collection, TimerCallback callback, object? state)
    : RepeatingEntry(collection, callback, state)
{
    // Needed at the end of a service only, so not worth a field of each of a million timers. Its entry is there once
    // IsHandedOver.
    private static readonly ConditionalWeakTable<ProviderTimer, SuccessorTimer> s_successors = [];

    protected override bool OutlivesService => true;

    public override void Dispose()
    {
        base.Dispose();
        if (IsHandedOver && s_successors.TryGetValue(this, out var successor))
        {
            successor.Dispose();
        }
    }

    internal override void HandOver()
    {
        // Of two that are made at once the table keeps one; the other is never armed.
        var successor = s_successors.GetValue(
            this, static timer => new SuccessorTimer(timer, timer.Clock, timer.Collection.Dispatcher));
        IsHandedOver = true;
        successor.Arm();
    }

    internal override ServiceEnd EndWithServiceLocked(ServicePhase phase) =>
        phase == ServicePhase.Disposed ? ServiceEnd.HandedOver : ServiceEnd.None;

    internal override void FinishEnd() => HandOver();

    internal override bool TryExpireLocked(long nowTick, out FiringItem item)
    {
        RelinkLocked(nowTick);
        item = new FiringItem(this);
        return true;
    }

    protected override void ThrowIfOutOfRange(TimeSpan dueTime, TimeSpan period)
    {
        DueTime.ThrowIfNotTimerRange(dueTime, nameof(dueTime));
        DueTime.ThrowIfNotTimerRange(period, nameof(period));
    }
}

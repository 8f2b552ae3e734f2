using System.Runtime.CompilerServices;
using ScalableTimers.Clock;
using ScalableTimers.Collections;
using ScalableTimers.Firing;

namespace ScalableTimers.Timers;

/// <summary>
/// A timer of <see cref="ScalableTimeProvider"/>. It accepts the same durations as .NET's timers. Its callback runs
/// without a captured context.
/// </summary>
/// <remarks>
/// Once the service has been disposed, a <see cref="SuccessorTimer"/> on the underlying clock drives it.
/// </remarks>
internal class ProviderTimer(TimerCollection collection, TimerCallback callback, object? state)
    : RepeatingEntry(collection, callback, state)
{
    // Needed only at the end of a service, so not worth a field in each of a million timers. Once IsHandedOver is set,
    // the timer has an entry here.
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
        // If two threads create a successor at once, the table keeps one of them. The other is never armed.
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

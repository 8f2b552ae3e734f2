using ScalableTimers.Queues;

namespace ScalableTimers.Timers;

/// <summary>
/// A timer of <see cref="TimerService.CreatePeriodicTimer"/>: its callback never overlaps itself, and it ends with the
/// service.
/// </summary>
internal sealed class ServiceTimer(TimerQueue queue, TimerCallback callback, object? state, TimeSpan tolerance)
    : ChangeableTimer(queue, callback, state, queue.Clock.ToDuration(tolerance))
{
    protected override PendingTimerKind Kind => PendingTimerKind.Periodic;

    protected override bool EndsWithService => true;

    protected override bool TryOverlapLocked(bool isLast)
    {
        // If this firing is the last one, for example because a callback has changed its own timer and is still
        // running, skipping it would stop the timer for good. So it fires when the callback has returned.
        IsOwed = isLast;
        Queue.CountLeftOutLocked(skipped: isLast ? 0 : 1, postponed: isLast ? 1 : 0);
        return false;
    }
}

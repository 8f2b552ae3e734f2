using System.Runtime.CompilerServices;
using ScalableTimers.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Queues;

/// <summary>
/// Drives one entry that outlives its service: after disposal, each such entry has its own timer of the clock.
/// </summary>
/// <remarks>
/// .NET types wait for such entries: cancellation token sources, <c>Task.Delay</c>, <see cref="PeriodicTimer"/>. They
/// must end on time, but are too few to keep a driver, its thread and its wheels for. The entry stays in its queue,
/// whose lock still guards it, but is in no wheel. Its holder changes and cancels it as before, and does not know what
/// drives it.
/// </remarks>
internal sealed class OutlivingTimer : ClockAlarm
{
    // Needed only at the end of a service, so not worth a field in each entry.
    private static readonly ConditionalWeakTable<QueueEntry, OutlivingTimer> s_timers = [];

    private readonly QueueEntry _entry;

    private OutlivingTimer(QueueEntry entry)
        : base(entry.Queue.Clock) => _entry = entry;

    /// <summary>
    /// Sets the entry's timer of the clock to the entry's deadline, or stops it. Called with no lock held after each
    /// change to the deadline of an entry whose service has been disposed.
    /// </summary>
    internal static void Arm(QueueEntry entry) =>
        s_timers.GetValue(entry, static entry => new OutlivingTimer(entry)).Arm();

    protected override long ReadDueAt()
    {
        var threadId = Environment.CurrentManagedThreadId;
        _entry.Queue.Enter(threadId);
        var isDue = _entry.Slot == TimerEntry.OutsideSlot
            && _entry.DeadlineTick != TimerWheel.Never
            && _entry.TryReadLocked(out _);
        var dueAt = isDue ? _entry.Queue.Clock.TimestampAt(_entry.DeadlineTick) : TickClock.Never;
        _entry.Queue.Exit(threadId);
        return dueAt;
    }

    protected override void Ring()
    {
        var queue = _entry.Queue;
        var isFiring = queue.TryExpireOutside(_entry, queue.Clock.NowTick(), out var item);
        Arm();
        if (isFiring)
        {
            // Count it before it runs, because no wait for callbacks includes it.
            queue.Dispatcher.AddFired(1);
            queue.Dispatcher.Fire(item);
        }
    }
}

using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Queues;
using ScalableTimers.Timeouts;
using ScalableTimers.Wheel;

namespace ScalableTimers;

/// <summary>Lists a limited number of the pending timers of several queues.</summary>
internal static class PendingTimerReader
{
    internal static List<PendingTimer> Read(TimerQueue[] queues, TickClock clock, int maxCount)
    {
        var now = clock.Now();
        var found = new List<PendingTimer>();
        var left = queues.Length;

        // Every queue gets an equal share, so a thread with a million timers does not hide the others. The smallest
        // queues go first, and what they do not use is divided among the rest.
        foreach (var (queue, pending) in queues
            .Select(static queue => (Queue: queue, queue.Count().Pending))
            .OrderBy(static queue => queue.Pending))
        {
            // Make room outside the lock: a failed allocation would leave it held.
            var share = (maxCount - found.Count) / left--;
            var entries = new List<PendingEntry>((int)long.Clamp(pending, 0, share));
            queue.ReadPending(entries);
            var owner = queue.IsOrdered ? null : queue.Owner;
            found.AddRange(entries.Select(entry => Describe(entry, owner, clock, now)));
        }

        return found;
    }

    private static PendingTimer Describe(PendingEntry entry, Thread? owner, TickClock clock, Timestamp now) => new()
    {
        Kind = entry.State is TimeoutTokens.Source ? PendingTimerKind.TimeoutToken : entry.Kind,
        DueIn = entry.DeadlineTick == TimerWheel.Never
            ? Timeout.InfiniteTimeSpan
            : clock.ToTimeSpan(TickClock.Between(now, clock.TimestampAt(entry.DeadlineTick))),
        Method = FiringItem.NameOf(entry.Callback),
        ThreadId = owner?.ManagedThreadId,
        ThreadName = owner?.Name,
    };
}

using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Queues;
using ScalableTimers.Timeouts;
using ScalableTimers.Wheel;

namespace ScalableTimers;

/// <summary>Lists the pending timers of some queues.</summary>
internal static class PendingTimerReader
{
    internal static List<PendingTimer> Read(TimerQueue[] queues, TickClock clock, int maxCount)
    {
        var now = clock.Now();
        var found = new List<PendingTimer>();
        var left = queues.Length;

        // Each queue gets the same share, so that a thread with a million timers does not hide all others. The queues
        // with the fewest timers come first, and what they do not need is divided among the rest.
        foreach (var queue in queues.OrderBy(static queue => queue.Count().Pending))
        {
            var share = (maxCount - found.Count) / left--;
            var owner = queue.IsShared ? null : queue.Owner;
            found.AddRange(new PendingWalk(queue, share).Run().Select(entry => Describe(entry, owner, clock, now)));
        }

        return found;
    }

    private static PendingTimer Describe(PendingEntry entry, Thread? owner, TickClock clock, long now) => new()
    {
        Kind = entry.State switch
        {
            TimeoutTokens.Source => PendingTimerKind.TimeoutToken,
            LeasedTimeout => PendingTimerKind.RentedTimeout,
            _ => entry.Kind,
        },
        DueIn = entry.DeadlineTick == TimerWheel.Never
            ? Timeout.InfiniteTimeSpan
            : clock.ToTimeSpan(Math.Max(0, clock.TimestampAt(entry.DeadlineTick) - now)),
        Method = FiringItem.NameOf(entry.Callback),
        ThreadId = owner?.ManagedThreadId,
        ThreadName = owner?.Name,
    };
}

using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Queues;
using ScalableTimers.Timeouts;
using ScalableTimers.Wheel;

namespace ScalableTimers;

/// <summary>Lists a limited number of the pending timers of one queue.</summary>
internal sealed class PendingTimerReader(TimerQueue queue, int maxCount) : QueueWalk(queue)
{
    private readonly List<PendingEntry> _found = [];

    internal override bool HasEnough => _found.Count == maxCount;

    /// <summary>Lists pending timers of several queues.</summary>
    internal static List<PendingTimer> Read(TimerQueue[] queues, TickClock clock, int maxCount)
    {
        var now = clock.Now();
        var found = new List<PendingTimer>();
        var left = queues.Length;

        // Every queue gets an equal share, so a thread with a million timers does not hide the others. The smallest
        // queues go first, and what they do not use is divided among the rest.
        foreach (var queue in queues.OrderBy(static queue => queue.Count().Pending))
        {
            var share = (maxCount - found.Count) / left--;
            var owner = queue.IsShared ? null : queue.Owner;
            var entries = new PendingTimerReader(queue, share).Run();
            found.AddRange(entries.Select(entry => Describe(entry, owner, clock, now)));
        }

        return found;
    }

    internal override void VisitLocked(QueueEntry entry)
    {
        if (entry.TryReadLocked(out var pending))
        {
            _found.Add(pending);
        }
    }

    private List<PendingEntry> Run()
    {
        while (!IsOver && !HasEnough)
        {
            // Make room for a step outside the lock: a failed allocation would leave it held.
            _found.EnsureCapacity(Math.Min(maxCount, _found.Count + TimerQueue.StepSize));
            Queue.Step(this);
        }

        return _found;
    }

    private static PendingTimer Describe(PendingEntry entry, Thread? owner, TickClock clock, long now) => new()
    {
        Kind = entry.State is TimeoutTokens.Source ? PendingTimerKind.TimeoutToken : entry.Kind,
        DueIn = entry.DeadlineTick == TimerWheel.Never
            ? Timeout.InfiniteTimeSpan
            : clock.ToTimeSpan(Math.Max(0, clock.TimestampAt(entry.DeadlineTick) - now)),
        Method = FiringItem.NameOf(entry.Callback),
        ThreadId = owner?.ManagedThreadId,
        ThreadName = owner?.Name,
    };
}

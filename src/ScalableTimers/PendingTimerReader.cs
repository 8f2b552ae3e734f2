using System.Diagnostics;
using ScalableTimers.Clock;
using ScalableTimers.Collections;
using ScalableTimers.Timeouts;
using ScalableTimers.Wheel;

namespace ScalableTimers;

/// <summary>Lists the pending timers of some collections.</summary>
internal static class PendingTimerReader
{
    internal static List<PendingTimer> Read(TimerCollection[] collections, TickClock clock, int most)
    {
        var now = clock.Now();
        return
        [
            .. Find(collections, most).Select(found => Describe(found.Entry, found.Owner, clock, now)),
        ];
    }

    /// <summary>A timer of a clock that drives it alone.</summary>
    internal static PendingTimer Describe(TimerCallback callback, TimeSpan dueIn) => new()
    {
        Kind = PendingTimerKind.TimeProvider,
        DueIn = dueIn,
        Method = NameOf(callback),
    };

    private static List<(PendingEntry Entry, Thread? Owner)> Find(TimerCollection[] collections, int most)
    {
        var found = new List<(PendingEntry Entry, Thread? Owner)>();
        var step = new PendingEntry[TimerCollection.StepSize];
        PendingWalk[] walks = [.. collections.Select(static collection => new PendingWalk(collection))];
        try
        {
            // Each collection gets the same share, so that a thread with a million timers does not hide all others.
            // What one does not need is divided among the rest in the next round.
            for (var open = walks; open.Length > 0 && found.Count < most; open = [.. open.Where(static w => !w.IsOver)])
            {
                var share = Math.Max(1, (most - found.Count) / open.Length);
                foreach (var walk in open)
                {
                    var room = Math.Min(Math.Min(share, most - found.Count), step.Length);
                    foreach (var entry in step.AsSpan(0, walk.Next(step.AsSpan(0, room))))
                    {
                        found.Add((entry, walk.Owner));
                    }
                }
            }
        }
        finally
        {
            Array.ForEach(walks, static walk => walk.End());
        }

        return found;
    }

    private static PendingTimer Describe(in PendingEntry entry, Thread? owner, TickClock clock, long now) => new()
    {
        Kind = entry.State switch
        {
            TimeoutTokenSource => PendingTimerKind.TimeoutToken,
            LeasedTimeout => PendingTimerKind.RentedTimeout,
            _ => entry.Kind,
        },
        DueIn = entry.DeadlineTick == TimerWheel.Never
            ? Timeout.InfiniteTimeSpan
            : clock.ToTimeSpan(Math.Max(0, clock.TimestampAt(entry.DeadlineTick) - now)),
        Method = NameOf(entry.Callback),
        ThreadId = owner?.ManagedThreadId,
        ThreadName = owner?.Name,
    };

    // Unlike reflection, this works in trimmed programs, where it may know nothing. A method that was compiled at run
    // time, such as a lambda expression, has no type.
    private static string? NameOf(TimerCallback? callback) =>
        callback is not null && DiagnosticMethodInfo.Create(callback) is { } method
            ? (method.DeclaringTypeName is { } type ? $"{type}." : null) + method.Name
            : null;
}

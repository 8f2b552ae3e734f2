using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads;

/// <summary>What does an unused timeout cost when the answer comes on another thread?</summary>
internal static class CancelElsewhere
{
    private const int UnderWay = 1024;

    internal static Workload Workload { get; } = new(
        "cancel-elsewhere",
        $"What does a timeout cost that one thread schedules and another cancels, with up to {UnderWay:N0} under way "
        + "between them? Empty entries have a state that one thread writes and the other compares and exchanges, and "
        + "go back to the first: a simple timer that is used again, without a clock.",
        Column.Wall,
        Contestants)
    {
        Headlines = [new("cancel on another thread", "Schedule", Column.Wall)],
    };

    // One service for all rounds.
    private static IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var pairs = scale.Of(1_000_000);
        return
        [
            new("Timer", () => Run(
                pairs,
                static () => new Timer(Loops.Ignore, null, Loops.DueTime, Timeout.InfiniteTimeSpan),
                static timer => timer.Dispose())),
            new("Schedule", () => Run(
                pairs,
                () => timers.Schedule(Loops.Ignore, null, Loops.DueTime),
                static timer => timer.Cancel())) { Owned = timers },
            new("empty entries", () => RunEmpty(pairs)),
            new("hand-over alone", () => Run(pairs, static () => Loops.Ignore, static _ => { })),
        ];
    }

    private static Measurement RunEmpty(int pairs)
    {
        var idle = new Ring<EmptyEntry>(2 * UnderWay);
        for (var i = 0; i < 2 * UnderWay; i++)
        {
            idle.Add(new EmptyEntry());
        }

        return Run(
            pairs,
            () =>
            {
                var entry = idle.Take();
                entry.Begin();
                return entry;
            },
            entry =>
            {
                Loops.MustBe(entry.TryEnd());
                idle.Add(entry);
            });
    }

    // CPU includes waiting for the other thread.
    private static Measurement Run<T>(int pairs, Func<T> schedule, Action<T> cancel)
    {
        var ring = new Ring<T>(UnderWay);
        var threads = 0;
        void Schedule(int count)
        {
            for (var i = 0; i < count; i++)
            {
                ring.Add(schedule());
            }
        }

        void Cancel(int count)
        {
            for (var i = 0; i < count; i++)
            {
                cancel(ring.Take());
            }
        }

        var measured = ThreadLoops.Run(
            threads: 2, pairs, () => Interlocked.Increment(ref threads) == 1 ? Schedule : Cancel);
        return measured with { CpuNanoseconds = measured.CpuNanoseconds * 2, Bytes = measured.Bytes * 2 };
    }

    /// <summary>The state of a timer, without the timer.</summary>
    private sealed class EmptyEntry
    {
        private long _isLive;

        internal void Begin() => Volatile.Write(ref _isLive, 1);

        internal bool TryEnd() => Interlocked.CompareExchange(ref _isLive, 0, 1) == 1;
    }
}

using System.Runtime.CompilerServices;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads;

/// <summary>What does an unused timeout cost when the answer comes on another thread?</summary>
internal static class CancelElsewhere
{
    private const int UnderWay = 1024;

    internal static Workload Workload { get; } = new(
        "cancel-elsewhere",
        $"How much does a timeout cost that one thread sets and another cancels, with up to {UnderWay:N0} between "
        + "them? Empty entries are the simplest timers that can be reused: one thread writes their state, and the "
        + "other compares and exchanges it and gives them back.",
        Column.Wall,
        Contestants);

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

    // An entry is a timer's state without the timer: 1 while it is live.
    private static Measurement RunEmpty(int pairs)
    {
        var idle = new Ring<StrongBox<long>>(2 * UnderWay);
        for (var i = 0; i < 2 * UnderWay; i++)
        {
            idle.Add(new StrongBox<long>());
        }

        return Run(
            pairs,
            () =>
            {
                var entry = idle.Take();
                Volatile.Write(ref entry.Value, 1);
                return entry;
            },
            entry =>
            {
                Loops.MustBe(Interlocked.CompareExchange(ref entry.Value, 0, 1) == 1);
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
        measured[Column.Cpu] *= 2;
        measured[Column.Bytes] *= 2;
        return measured;
    }
}

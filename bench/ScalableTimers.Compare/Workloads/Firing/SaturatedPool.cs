using System.Diagnostics;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>When do timers fire while every pool thread computes and more work is queued?</summary>
internal static class SaturatedPool
{
    private static readonly int s_items = 32 * Environment.ProcessorCount;
    private static readonly long s_itemLength = Stopwatch.Frequency / 1000;

    internal static Workload Workload { get; } = new(
        "saturated-pool",
        "2,000 timers come due over one second, while the pool always has 32 items of 1 ms per core in its queue. How "
        + "late do they fire? The last row is a thread that wakes every 10 ms and queues an item for each due timer.",
        Column.LateP99,
        Contestants);

    // One service for all rounds.
    private static IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var volley = new Volley(scale.Of(2_000), scale.Of(TimeSpan.FromSeconds(1)));
        return
        [
            new("Timer", () => UnderLoad(volley, ShotTimers.ByTimer)),
            new("Task.Delay", () => UnderLoad(volley, ShotTimers.ByTaskDelay)),
            new("Schedule", () => UnderLoad(volley, ShotTimers.BySchedule(timers))) { Owned = timers },
            new("Delay", () => UnderLoad(volley, ShotTimers.ByDelay(timers))) { Against = "Task.Delay" },
            new("item at each tick", () =>
            {
                using var ticks = new ItemsAtTicks();
                return UnderLoad(volley, ticks.Schedule);
            }),
        ];
    }

    private static Measurement UnderLoad(Volley volley, Action<Shot, TimeSpan> schedule)
    {
        var isOver = false;
        using var ended = new CountdownEvent(s_items);
        void Compute()
        {
            var from = Stopwatch.GetTimestamp();
            while (Stopwatch.GetTimestamp() - from < s_itemLength)
            {
            }

            if (Volatile.Read(ref isOver))
            {
                ended.Signal();
            }
            else
            {
                Queue();
            }
        }

        // The item is queued behind all waiting work, including timers.
        void Queue() =>
            ThreadPool.UnsafeQueueUserWorkItem(static compute => compute(), (Action)Compute, preferLocal: false);

        for (var i = 0; i < s_items; i++)
        {
            Queue();
        }

        var measured = volley.Run(schedule);
        Volatile.Write(ref isOver, true);
        ended.Wait();
        return measured.Except(Column.Cpu, Column.Bytes, Column.Collections);
    }
}

using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads;

/// <summary>What does an unused timeout cost?</summary>
internal static class Pairs
{
    private static readonly TimeSpan s_farDueTime = TimeSpan.FromHours(1);

    internal static IEnumerable<Workload> All { get; } =
    [
        AtOnce("schedule-cancel-1", threads: 1, pending: 0) with
        {
            Headlines = [("schedule and cancel, in a loop on one thread", "Schedule", Column.Wall)],
        },
        AtOnce("schedule-cancel", threads: 2, pending: 0),
        AtOnce("schedule-cancel-1m", threads: 2, pending: 1_000_000) with
        {
            Headlines = [("the same on two threads, with 1,000,000 others pending", "Schedule", Column.Wall)],
        },
        new(
            "schedule-yield-cancel",
            "How much does a timeout cost that is cancelled after an await Task.Yield(), in 16 loops on the "
            + "thread pool? The net figures exclude the loop and the yield.",
            Column.Net,
            AfterYield),
    ];

    private static Workload AtOnce(string name, int threads, int pending) => new(
        name,
        $"How much does it cost to set and cancel a timeout, on {(threads == 1 ? "1 thread" : "2 threads")}, "
        + $"with {pending:N0} others pending? The last row only reads the clock.",
        Column.Wall,
        scale => AtOnce(threads, pending, scale));

    // One service is used for all rounds, and its pending timers stay pending, as in a server.
    private static IReadOnlyList<Contestant> AtOnce(int threads, int pending, Scale scale)
    {
        var timers = new TimerService();
        var system = new ITimer[pending];
        for (var i = 0; i < pending; i++)
        {
            system[i] = TimeProvider.System.CreateTimer(
                Loops.Ignore, null, s_farDueTime, Timeout.InfiniteTimeSpan);
            timers.Schedule(Loops.Ignore, null, s_farDueTime);
        }

        Contestant Of(string name, int pairs, Func<Action<int>> loop) =>
            new(name, () => ThreadLoops.Run(threads, scale.Of(pairs), loop));
        return
        [
            Of("Timer", 1_000_000, static () => Loops.OfTimer) with { Owned = new Timers(system) },
            Of("Schedule", 5_000_000, () => Loops.OfSchedule(timers)) with { Owned = timers },
            Of("clock alone", 5_000_000, static () => Loops.OfClock),
        ];
    }

    private static IReadOnlyList<Contestant> AfterYield(Scale scale)
    {
        const string Alone = "yield alone";
        var timers = new TimerService();
        Contestant Of(string name, Func<int, Task> loop) =>
            new(name, () => PoolLoops.Run(scale.Of(1_000_000), loop)) { Against = "Timer", Without = Alone };
        return
        [
            Of(Alone, static async pairs =>
            {
                for (var i = 0; i < pairs; i++)
                {
                    await Task.Yield();
                }
            }) with { Against = Alone, Without = null },
            Of("Timer", static async pairs =>
            {
                for (var i = 0; i < pairs; i++)
                {
                    var timer = new Timer(Loops.Ignore, null, Loops.DueTime, Timeout.InfiniteTimeSpan);
                    await Task.Yield();
                    timer.Dispose();
                }
            }),
            Of("Schedule", async pairs =>
            {
                for (var i = 0; i < pairs; i++)
                {
                    var timer = timers.Schedule(Loops.Ignore, null, Loops.DueTime);
                    await Task.Yield();
                    timer.Cancel();
                }
            }) with { Owned = timers },
        ];
    }

    private sealed class Timers(ITimer[] all) : IDisposable
    {
        public void Dispose() => Array.ForEach(all, static timer => timer.Dispose());
    }
}

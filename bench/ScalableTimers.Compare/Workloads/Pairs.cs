using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads;

/// <summary>What does an unused timeout cost?</summary>
internal static class Pairs
{
    private static readonly TimeSpan s_farDueTime = TimeSpan.FromHours(1);

    internal static IEnumerable<Workload> All { get; } =
    [
        AtOnce("schedule-cancel-1", threads: 1, pending: 0),
        AtOnce("schedule-cancel", threads: 2, pending: 0),
        AtOnce("schedule-cancel-1m", threads: 2, pending: 1_000_000),
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

    private sealed class Timers(ITimer[] all) : IDisposable
    {
        public void Dispose() => Array.ForEach(all, static timer => timer.Dispose());
    }
}

using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads;

/// <summary>Does throughput grow with threads, with one lock and with a lock for each thread?</summary>
internal static class OneLock
{
    private const string Partitions = "Timer, a lock a processor";

    internal static Workload Workload { get; } = new(
        "one-lock",
        "How many timers can be created and disposed of in a second, on 1 thread, on one per processor and on two? The "
        + "first row of our wheels puts one lock around all of them; the second is as they are. Lock waits: how often "
        + "a thread slept, in each round, until a .NET lock was free.",
        Column.PerSecond,
        static scale =>
        [
            .. new[] { 1, Environment.ProcessorCount, 2 * Environment.ProcessorCount }.Distinct()
                .SelectMany(threads => Contestants(threads, scale)),
        ]);

    private static IEnumerable<Contestant> Contestants(int threads, Scale scale)
    {
        var timers = new TimerService();
        var gate = new Lock();
        Contestant Of(string name, Action<int> loop) =>
            new(Contestant.On(threads, name), () => Run(threads, scale.Of(1_000_000), loop))
            {
                Against = Contestant.On(threads, Partitions),
            };
        return
        [
            Of(Partitions, Loops.OfTimer),
            Of("our wheels, one lock", pairs =>
            {
                for (var i = 0; i < pairs; i++)
                {
                    ScheduledTimer timer;
                    lock (gate)
                    {
                        timer = timers.Schedule(Loops.Ignore, null, Loops.DueTime);
                    }

                    lock (gate)
                    {
                        timer.Cancel();
                    }
                }
            }),
            Of("our wheels, a lock a thread", Loops.OfSchedule(timers)) with { Owned = timers },
        ];
    }

    private static Measurement Run(int threads, int pairs, Action<int> loop)
    {
        var waits = Monitor.LockContentionCount;
        var measured = ThreadLoops.Run(threads, pairs / threads, () => loop);
        measured[Column.PerSecond] = threads * 1e9 / measured[Column.Wall];
        measured[Column.LockWaits] = Monitor.LockContentionCount - waits;
        return measured.Except(Column.Wall);
    }
}

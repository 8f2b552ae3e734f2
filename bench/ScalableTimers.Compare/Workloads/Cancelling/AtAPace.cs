using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads.Statistics;

namespace ScalableTimers.Compare.Workloads.Cancelling;

/// <summary>What does a timeout cost that a server sets and cancels at a steady pace, between other work?</summary>
internal sealed class AtAPace(Pace pace) : Workload
{
    private const string Dictionary = "ConcurrentDictionary + lock";

    internal override string Name => $"paced-{pace.Name}";

    internal override string Question =>
        $"What does a call cost {pace.Text} The net figures are without what an empty burst takes.";

    internal override string ComparedBy => "net wall time";

    internal override bool IsSlow => true;

    // One service is used for all rounds, so that its pools are as full as a server's.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var statistics = new OperationStatistics();
        Operation[] operations =
            [.. Enumerable.Range(0, OperationAdds.Operations).Select(i => statistics.Register($"operation {i}"))];
        var walk = new CacheWalk(pace.Megabytes);
        var duration = TimeSpan.FromSeconds(1.2) / scale.Divisor;
        Contestant Compared(string name, string against, Action<int> loop) =>
            new(name, () => PacedLoop.Run(pace.PerSecond, duration, walk, loop)) { Against = against };
        return
        [
            Compared("Timer", "Timer", Timeouts.OfTimer),
            Compared("Schedule", "Timer", Timeouts.OfSchedule(timers)) with { Owned = timers },
            Compared("clock alone", "Timer", Timeouts.OfClock),
            Compared("source alone", "Task.Delay", Timeouts.OfSourceAlone),
            Compared("Task.Delay", "Task.Delay", Timeouts.OfTaskDelay(TimeProvider.System)),
            Compared("TryDelay", "Task.Delay", Timeouts.OfTryDelay(timers)),
            Compared("Task.Delay, TimeProvider", "Task.Delay", Timeouts.OfTaskDelay(timers.TimeProvider)),
            Compared("CancellationTokenSource", "CancellationTokenSource", Timeouts.OfSource(TimeProvider.System)),
            Compared("TryReset", "CancellationTokenSource", Timeouts.OfPooledSource()),
            Compared("RentTimeout", "CancellationTokenSource", Timeouts.OfLease(timers)),
            Compared(Dictionary, Dictionary, AddLoop.Create(new DictionaryAdder(new()))),
            Compared(
                "OperationStatistics.Add", Dictionary, AddLoop.Create(new StatisticsAdder(statistics, operations))),
        ];
    }
}

using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads;

/// <summary>What does a call cost when a server makes it at a steady pace, between other work?</summary>
internal static class Paced
{
    private const string Percentiles = "dictionary + lock, percentiles";

    internal static IEnumerable<Workload> All { get; } =
    [
        At("paced-20k", 20_000, megabytes: 0),
        At("paced-100k", 100_000, megabytes: 0),
        At("paced-20k-32mb", 20_000, megabytes: 32),
    ];

    private static Workload At(string name, int perSecond, int megabytes) => new(
        name,
        $"How much does each call cost at {perSecond:N0} a second? The thread makes a burst of calls each millisecond, "
        + $"then reads {megabytes} MB of memory and sleeps. Delays are awaited and end by their token; what the pool "
        + "does then is not counted. The net figures exclude the cost of an empty burst.",
        Column.Net,
        scale => Contestants(perSecond, megabytes, scale));

    // One service is used for all rounds, so that its pools are as full as a server's.
    private static IReadOnlyList<Contestant> Contestants(int perSecond, int megabytes, Scale scale)
    {
        var timers = new TimerService();
        var statistics = new OperationStatistics();
        Contestant Of(string name, string against, Action<int> loop) =>
            new(name, () => PacedLoop.Run(perSecond, scale.Of(TimeSpan.FromSeconds(0.8)), megabytes, loop))
            {
                Against = against,
            };
        return
        [
            Of("Timer", "Timer", Loops.OfTimer),
            Of("Schedule", "Timer", Loops.OfSchedule(timers)) with { Owned = timers },
            Of("clock alone", "Timer", Loops.OfClock),
            Of("Task.Delay", "Task.Delay", Loops.OfDelay(Waiters.OnTaskDelay(TimeProvider.System))),
            Of("TryDelay", "Task.Delay", Loops.OfDelay(Waiters.OnTryDelay(timers))),
            Of(
                "Task.Delay, TimeProvider",
                "Task.Delay",
                Loops.OfDelay(Waiters.OnTaskDelay(timers.TimeProvider))),
            Of("dictionary + lock", "dictionary + lock", AddLoops.OfDictionary()),
            Of(Percentiles, "dictionary + lock", AddLoops.OfDictionaryOfHistograms()),
            Of("OperationStatistics.Add", Percentiles, AddLoops.OfStatistics(statistics)),
        ];
    }
}

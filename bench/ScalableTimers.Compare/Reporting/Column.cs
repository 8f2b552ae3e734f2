using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Reporting;

/// <summary>One kind of figure. A table leaves out the columns that none of its rows has.</summary>
/// <param name="Title">In tables.</param>
/// <param name="Key">In JSON.</param>
/// <param name="Value">Returns the figure, or NaN if there is none.</param>
internal sealed record Column(string Title, string Key, Func<Measurement, double> Value)
{
    internal static IReadOnlyList<Column> All { get; } =
    [
        new("% of ideal", "percentOfIdeal", static round => round.PercentOfIdeal),
        new("wake-ups a second", "wakeUpsPerSecond", static round => round.WakeUpsPerSecond),
        new("threads", "moreThreads", static round => round.MoreThreads),
        new("MB", "moreMegabytes", static round => round.MoreMegabytes),
        new("ns", "wallNanoseconds", static round => round.WallNanoseconds),
        new("net ns", "netNanoseconds", static round => round.NetNanoseconds),
        new("CPU ns", "cpuNanoseconds", static round => round.CpuNanoseconds),
        new("CPU ms/s", "cpuMillisecondsPerSecond", static round => round.CpuMillisecondsPerSecond),
        new("net CPU ms/s", "netCpuMillisecondsPerSecond", static round => round.NetCpuMillisecondsPerSecond),
        new("a second", "perSecond", static round => round.PerSecond),
        new("bursts a second", "burstsPerSecond", static round => round.BurstsPerSecond),
        new("bytes", "bytes", static round => round.Bytes),
        new("net bytes", "netBytes", static round => round.NetBytes),
        new("GCs", "collections", static round => round.Collections),
        new("lock waits", "lockWaits", static round => round.LockWaits),
        new("early", "early", static round => round.Early),
        new("most early ms", "earliestMilliseconds", static round => round.EarliestMilliseconds),
        new("late p50 ms", "lateP50Milliseconds", static round => round.LateP50),
        new("p99", "lateP99Milliseconds", static round => round.LateP99),
        new("p99.9", "lateP999Milliseconds", static round => round.LateP999),
        new("max", "lateMaxMilliseconds", static round => round.LateMax),
    ];
}

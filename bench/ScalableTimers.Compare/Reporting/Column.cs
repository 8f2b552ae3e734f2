using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Reporting;

/// <summary>One kind of figure. A table leaves out the columns that none of its rows has.</summary>
/// <param name="Title">In tables.</param>
/// <param name="Value">Returns the figure, or NaN if there is none.</param>
internal sealed record Column(string Title, Func<Measurement, double> Value)
{
    internal static Column Ideal { get; } = new("% of ideal", static round => round.PercentOfIdeal)
    {
        IsMoreBetter = true,
    };

    internal static Column WakeUps { get; } = new("wake-ups a second", static round => round.WakeUpsPerSecond);

    internal static Column Threads { get; } = new("threads", static round => round.MoreThreads);

    internal static Column Megabytes { get; } = new("MB", static round => round.MoreMegabytes);

    internal static Column Wall { get; } = new("ns", static round => round.WallNanoseconds);

    internal static Column Net { get; } = new("net ns", static round => round.NetNanoseconds);

    internal static Column Cpu { get; } = new("CPU ns", static round => round.CpuNanoseconds);

    internal static Column CpuPerSecond { get; } = new("CPU ms/s", static round => round.CpuMillisecondsPerSecond);

    internal static Column PerSecond { get; } = new("a second", static round => round.PerSecond)
    {
        IsMoreBetter = true,
    };

    internal static Column Bytes { get; } = new("bytes", static round => round.Bytes);

    internal static Column NetBytes { get; } = new("net bytes", static round => round.NetBytes);

    internal static Column Collections { get; } = new("GCs", static round => round.Collections);

    internal static Column LockWaits { get; } = new("lock waits", static round => round.LockWaits);

    internal static Column Early { get; } = new("early", static round => round.Early);

    internal static Column Earliest { get; } = new("most early ms", static round => round.EarliestMilliseconds);

    internal static Column LateP50 { get; } = new("late p50 ms", static round => round.LateP50);

    internal static Column LateP99 { get; } = new("late p99 ms", static round => round.LateP99);

    internal static Column LateP999 { get; } = new("late p99.9 ms", static round => round.LateP999);

    internal static Column LateMax { get; } = new("late max ms", static round => round.LateMax);

    /// <summary>Gets all, in the order of tables.</summary>
    internal static IReadOnlyList<Column> All { get; } =
    [
        Ideal, WakeUps, Threads, Megabytes, Wall, Net, Cpu, CpuPerSecond, PerSecond, Bytes, NetBytes, Collections,
        LockWaits, Early, Earliest, LateP50, LateP99, LateP999, LateMax,
    ];

    /// <summary>Gets whether more of it is better, and not less.</summary>
    public bool IsMoreBetter { get; init; }
}

namespace ScalableTimers.Compare.Reporting;

/// <summary>One kind of figure. A table omits columns that none of its rows has.</summary>
/// <param name="Title">The title in tables; unique.</param>
/// <param name="IsMoreBetter">Whether higher values are better.</param>
internal sealed record Column(string Title, bool IsMoreBetter = false)
{
    /// <summary>The share of the requested work that was done.</summary>
    internal static readonly Column Ideal = new("% of ideal", IsMoreBetter: true);

    /// <summary>The share of the received answers that came too late.</summary>
    internal static readonly Column LateAnswers = new("% late");

    /// <summary>How many warnings were logged.</summary>
    internal static readonly Column Warnings = new("warnings a second");

    // In addition to those before the round.
    internal static readonly Column Threads = new("threads");
    internal static readonly Column Megabytes = new("MB");

    internal static readonly Column Wall = new("ns");

    /// <summary>Without that of an empty burst.</summary>
    internal static readonly Column Net = new("net ns");
    internal static readonly Column Cpu = new("CPU ns");
    internal static readonly Column CpuPerSecond = new("CPU ms/s");
    internal static readonly Column PerSecond = new("a second", IsMoreBetter: true);
    internal static readonly Column Bytes = new("bytes");
    internal static readonly Column Collections = new("GCs");

    /// <summary>
    /// How often a thread waited for a .NET lock during the round (<see cref="Monitor.LockContentionCount"/>). The lock
    /// of this library's wheels spins and is not counted.
    /// </summary>
    internal static readonly Column LockWaits = new("lock waits");

    internal static readonly Column LostCalls = new("lost calls");
    internal static readonly Column LosingStalls = new("stalls with lost calls");
    internal static readonly Column Early = new("early");
    internal static readonly Column Earliest = new("most early ms");
    internal static readonly Column LateP50 = new("late p50 ms");
    internal static readonly Column LateP99 = new("late p99 ms");
    internal static readonly Column LateP999 = new("late p99.9 ms");
    internal static readonly Column LateMax = new("late max ms");

    /// <summary>All columns, in table order.</summary>
    internal static readonly IReadOnlyList<Column> All =
    [
        Ideal, LateAnswers, Warnings, Threads, Megabytes, Wall, Net, Cpu, CpuPerSecond, PerSecond, Bytes, Collections,
        LockWaits, LostCalls, LosingStalls, Early, Earliest, LateP50, LateP99, LateP999, LateMax,
    ];
}

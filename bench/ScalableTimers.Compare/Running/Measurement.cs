namespace ScalableTimers.Compare.Running;

/// <summary>The measurement of one round of one contestant. Values that a workload does not have are NaN.</summary>
internal sealed record Measurement
{
    public double WallNanoseconds { get; init; } = double.NaN;

    /// <summary>
    /// Gets the wall time beyond that of <see cref="Contestant.Without"/>, or of an empty burst.
    /// </summary>
    public double NetNanoseconds { get; init; } = double.NaN;

    public double CpuNanoseconds { get; init; } = double.NaN;

    /// <summary>Gets the processor time, in milliseconds, that a second costs.</summary>
    public double CpuMillisecondsPerSecond { get; init; } = double.NaN;

    /// <summary>Gets how much was done in a second.</summary>
    public double PerSecond { get; init; } = double.NaN;

    /// <summary>Gets the share of the requested work that was done.</summary>
    public double PercentOfIdeal { get; init; } = double.NaN;

    /// <summary>Gets how often the driver woke in a second.</summary>
    public double WakeUpsPerSecond { get; init; } = double.NaN;

    /// <summary>Gets the number of additional threads.</summary>
    public double MoreThreads { get; init; } = double.NaN;

    /// <summary>Gets by how many millions of bytes the working set grew.</summary>
    public double MoreMegabytes { get; init; } = double.NaN;

    public double Bytes { get; init; } = double.NaN;

    /// <summary>Gets the bytes beyond those of <see cref="Contestant.Without"/>.</summary>
    public double NetBytes { get; init; } = double.NaN;

    public double Collections { get; init; } = double.NaN;

    /// <summary>
    /// Gets how often a thread waited for a lock of .NET in the round, by <see cref="Monitor.LockContentionCount"/>.
    /// It does not count the lock of this library's wheels, which spins.
    /// </summary>
    public double LockWaits { get; init; } = double.NaN;

    public double Early { get; init; } = double.NaN;

    public double EarliestMilliseconds { get; init; } = double.NaN;

    public double LateP50 { get; init; } = double.NaN;

    public double LateP99 { get; init; } = double.NaN;

    public double LateP999 { get; init; } = double.NaN;

    public double LateMax { get; init; } = double.NaN;

    /// <summary>Operations on several threads at once: how long one takes, and what it costs.</summary>
    internal static Measurement OfOperations(Usage before, Usage after, long operationsPerThread, int threads)
    {
        var operations = (double)operationsPerThread * threads;
        return new Measurement
        {
            WallNanoseconds = before.WallUntil(after).TotalNanoseconds / operationsPerThread,
            CpuNanoseconds = (after.Processor - before.Processor).TotalNanoseconds / operations,
            Bytes = (after.Bytes - before.Bytes) / operations,
            Collections = after.Collections - before.Collections,
        };
    }

    /// <summary>Steady work for some time.</summary>
    internal static Measurement OfSeconds(Usage before, Usage after, double done)
    {
        var seconds = before.WallUntil(after).TotalSeconds;
        return new Measurement
        {
            CpuMillisecondsPerSecond = (after.Processor - before.Processor).TotalMilliseconds / seconds,
            PerSecond = done / seconds,
        };
    }

    /// <summary>The same with net figures.</summary>
    internal Measurement Without(Measurement other) => this with
    {
        NetNanoseconds = WallNanoseconds - other.WallNanoseconds,
        NetBytes = Bytes - other.Bytes,
    };
}

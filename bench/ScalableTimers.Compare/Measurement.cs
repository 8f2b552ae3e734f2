namespace ScalableTimers.Compare;

/// <summary>What one round of one contestant took. Values that a workload has no use for are not a number.</summary>
internal sealed record Measurement
{
    /// <summary>Gets the value that contestants are compared by.</summary>
    public required double Compared { get; init; }

    public double WallNanoseconds { get; init; } = double.NaN;

    public double CpuNanoseconds { get; init; } = double.NaN;

    public double Bytes { get; init; } = double.NaN;

    public double Collections { get; init; } = double.NaN;

    public double Early { get; init; } = double.NaN;

    public double EarliestMilliseconds { get; init; } = double.NaN;

    public double LateP50 { get; init; } = double.NaN;

    public double LateP99 { get; init; } = double.NaN;

    public double LateMax { get; init; } = double.NaN;
}

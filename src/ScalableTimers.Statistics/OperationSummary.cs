namespace ScalableTimers;

/// <summary>The figures of an operation so far. All of them are zero until the operation has run.</summary>
/// <remarks>
/// Durations are counted in units of 100 nanoseconds. Percentiles are off by at most one part in sixteen; all other
/// figures are exact.
/// </remarks>
public sealed record OperationSummary
{
    /// <summary>Gets the operation's name.</summary>
    public required string Operation { get; init; }

    /// <summary>Gets the number of runs that were added.</summary>
    public long Count { get; init; }

    /// <summary>Gets the sum of all durations, capped at <see cref="TimeSpan.MaxValue"/>.</summary>
    public TimeSpan TotalTime { get; init; }

    /// <summary>Gets the longest duration.</summary>
    public TimeSpan MaxTime { get; init; }

    /// <summary>Gets the shortest duration.</summary>
    public TimeSpan MinTime { get; init; }

    /// <summary>Gets the mean duration, rounded to 100 nanoseconds.</summary>
    public TimeSpan MeanTime => Count == 0 ? TimeSpan.Zero : TotalTime / Count;

    /// <summary>Gets the median duration.</summary>
    public TimeSpan P50Time { get; init; }

    /// <summary>Gets the duration that one run in a hundred exceeds.</summary>
    public TimeSpan P99Time { get; init; }
}

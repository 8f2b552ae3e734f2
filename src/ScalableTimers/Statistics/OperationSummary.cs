namespace ScalableTimers;

/// <summary>
/// The figures of an operation so far. All times are in milliseconds. All figures are zero until the operation has run.
/// </summary>
/// <param name="Operation">The operation's name.</param>
/// <param name="Count">The number of runs that were added. Exact.</param>
/// <param name="TotalTimeMs">The sum of all durations. Exact up to <see cref="TimeSpan.MaxValue"/>, where it stays.</param>
/// <param name="MaxTimeMs">The longest duration. Exact.</param>
/// <param name="MinTimeMs">The shortest duration. Exact.</param>
/// <param name="P50TimeMs">The median duration, off by at most one part in sixteen.</param>
/// <param name="P99TimeMs">The duration that one run in a hundred exceeds, off by at most one part in sixteen.</param>
public sealed record OperationSummary(
    string Operation,
    long Count,
    double TotalTimeMs,
    double MaxTimeMs,
    double MinTimeMs,
    double P50TimeMs,
    double P99TimeMs)
{
    /// <summary>Gets the mean duration.</summary>
    public double MeanTimeMs => Count == 0 ? 0 : TotalTimeMs / Count;
}

using System.Runtime.CompilerServices;

namespace ScalableTimers.Statistics;

/// <summary>
/// The counts of a <see cref="DurationHistogram"/>, inside the cell whose they are: an array of its own would be one
/// more look-up.
/// </summary>
[InlineArray(DurationHistogram.Length)]
internal struct DurationCounts
{
    private long _first;
}

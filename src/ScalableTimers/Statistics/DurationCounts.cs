using System.Runtime.CompilerServices;

namespace ScalableTimers.Statistics;

/// <summary>
/// The counts of a <see cref="DurationHistogram"/>. They are stored inline in their cell: a separate array would cost
/// one more look-up.
/// </summary>
[InlineArray(DurationHistogram.Length)]
internal struct DurationCounts
{
    private long _first;
}

using System.Runtime.CompilerServices;

namespace ScalableTimers.Statistics;

/// <summary>The counts of a <see cref="DurationHistogram"/>, inline in their cell, which saves a look-up.</summary>
[InlineArray(DurationHistogram.Length)]
internal struct DurationCounts
{
    private long _first;
}

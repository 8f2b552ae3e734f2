using System.Numerics;

namespace ScalableTimers.Statistics;

/// <summary>
/// Where durations are counted: eight equal steps for each power of two, so that a step is at most an eighth of its
/// durations.
/// </summary>
internal static class DurationHistogram
{
    private const int StepBits = 3;
    private const int Steps = 1 << StepBits;

    /// <summary>Enough for all durations, which have at most 63 bits.</summary>
    internal const int Length = (63 - StepBits + 1) * Steps;

    /// <summary>The index of a duration of 100 ns units.</summary>
    internal static int IndexOf(long duration)
    {
        // Below 16 each duration has an index of its own; the formula for the powers of two begins there.
        var shift = BitOperations.Log2((ulong)duration | Steps) - StepBits;
        return (shift << StepBits) + (int)(duration >> shift);
    }

    /// <summary>The middle of the durations of an index.</summary>
    internal static double MiddleOf(int index)
    {
        var shift = Math.Max((index >> StepBits) - 1, 0);
        var first = (long)(index - (shift << StepBits)) << shift;
        return first + (((1L << shift) - 1) / 2.0);
    }
}

using System.Numerics;

namespace ScalableTimers.Statistics;

/// <summary>
/// The steps in which durations are counted: eight for each power of two, each at most an eighth of its durations wide.
/// </summary>
internal static class DurationHistogram
{
    private const int StepBits = 3;
    private const int Steps = 1 << StepBits;

    /// <summary>The number of steps, enough for all durations, which have at most 63 bits.</summary>
    internal const int Length = (63 - StepBits + 1) * Steps;

    /// <summary>The index of the step for a duration in 100 ns units.</summary>
    internal static int IndexOf(long duration)
    {
        // Below 16 each duration has its own index. From 16 on, the formula for the powers of two applies.
        var shift = BitOperations.Log2((ulong)duration | Steps) - StepBits;
        return (shift << StepBits) + (int)(duration >> shift);
    }

    /// <summary>The middle of the durations that share an index, rounded down.</summary>
    internal static long MiddleOf(int index)
    {
        var shift = Math.Max((index >> StepBits) - 1, 0);
        var first = (long)(index - (shift << StepBits)) << shift;
        return first + (((1L << shift) - 1) / 2);
    }
}

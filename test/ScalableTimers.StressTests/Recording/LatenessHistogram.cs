using System.Numerics;

namespace ScalableTimers.StressTests.Recording;

/// <summary>
/// A distribution of lateness, in buckets that are 3 % wide and memory that does not grow. One thread adds.
/// </summary>
internal sealed class LatenessHistogram
{
    private const int Steps = 32;

    private readonly long[] _counts = new long[64 * Steps];
    private long _count;
    private long _max;

    internal double MaxMilliseconds => StressTime.ToMilliseconds(_max);

    internal void Add(long units)
    {
        units = Math.Max(0, units);
        _counts[IndexOf(units)]++;
        _count++;
        _max = Math.Max(_max, units);
    }

    /// <summary>The upper end of the bucket that contains a quantile.</summary>
    internal double Milliseconds(double share)
    {
        var rest = (long)Math.Ceiling(_count * share);
        for (var i = 0; i < _counts.Length; i++)
        {
            rest -= _counts[i];
            if (rest <= 0 && _counts[i] > 0)
            {
                return Math.Min(StressTime.ToMilliseconds(EndOf(i)), MaxMilliseconds);
            }
        }

        return 0;
    }

    public override string ToString() =>
        _count == 0
            ? "none"
            : $"late by p50 {Milliseconds(0.5):F3} ms, p99 {Milliseconds(0.99):F3}, p99.9 {Milliseconds(0.999):F3}, "
                + $"max {MaxMilliseconds:F3}";

    private static int IndexOf(long units)
    {
        if (units < Steps)
        {
            return (int)units;
        }

        var shift = BitOperations.Log2((ulong)units) - 5;
        return ((shift + 1) * Steps) + (int)((units >> shift) - Steps);
    }

    private static long EndOf(int index)
    {
        var (shift, step) = ((index / Steps) - 1, index % Steps);
        return shift < 0 ? step : ((long)(Steps + step + 1) << shift) - 1;
    }
}

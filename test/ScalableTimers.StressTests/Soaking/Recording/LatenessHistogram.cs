using System.Numerics;

namespace ScalableTimers.StressTests.Soaking.Recording;

/// <summary>Durations counted in buckets that are 3 % wide, by any thread, in memory that does not grow.</summary>
internal sealed class LatenessHistogram
{
    private const int Steps = 32;

    private readonly long[] _counts = new long[64 * Steps];
    private long _max;

    internal long Count => _counts.Sum();

    internal double MaxMilliseconds => StressTime.ToMilliseconds(Volatile.Read(ref _max));

    internal void Add(long units)
    {
        units = Math.Max(0, units);
        Interlocked.Increment(ref _counts[IndexOf(units)]);
        for (var max = Volatile.Read(ref _max); units > max;)
        {
            var seen = Interlocked.CompareExchange(ref _max, units, max);
            if (seen == max)
            {
                return;
            }

            max = seen;
        }
    }

    /// <summary>The upper end of the bucket that contains a quantile.</summary>
    internal double Milliseconds(double share)
    {
        var rest = (long)Math.Ceiling(Count * share);
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

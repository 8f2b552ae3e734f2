using System.Numerics;

namespace TransactionsDemo.Load;

/// <summary>
/// A distribution of durations, exact to three per cent: each power of two of microseconds has 32 buckets.
/// </summary>
internal sealed class LatencyHistogram
{
    private const int BucketBits = 5;
    private const int BucketsPerPower = 1 << BucketBits;

    private readonly long[] _buckets = new long[BucketsPerPower * (64 - BucketBits)];
    private long _count;

    public TimeSpan Max { get; private set; }

    public void Add(TimeSpan duration)
    {
        _buckets[BucketOf((long)duration.TotalMicroseconds)]++;
        _count++;
        Max = duration > Max ? duration : Max;
    }

    public void Add(LatencyHistogram other)
    {
        for (var bucket = 0; bucket < _buckets.Length; bucket++)
        {
            _buckets[bucket] += other._buckets[bucket];
        }

        _count += other._count;
        Max = other.Max > Max ? other.Max : Max;
    }

    /// <summary>The duration that a given share of all durations does not exceed.</summary>
    public TimeSpan Percentile(double share)
    {
        var rank = Math.Max(1, (long)Math.Ceiling(_count * share));
        var seen = 0L;
        for (var bucket = 0; bucket < _buckets.Length; bucket++)
        {
            seen += _buckets[bucket];
            if (seen >= rank)
            {
                var upperEnd = TimeSpan.FromMicroseconds(UpperEndOf(bucket));
                return upperEnd < Max ? upperEnd : Max;
            }
        }

        return Max;
    }

    // Up to 32, each bucket holds one value. Above, the leading bits of a value choose its bucket.
    private static int BucketOf(long microseconds)
    {
        var power = Math.Max(0, BitOperations.Log2((ulong)microseconds) - BucketBits);
        return (power << BucketBits) + (int)(microseconds >> power);
    }

    private static long UpperEndOf(int bucket)
    {
        var power = Math.Max(0, (bucket >> BucketBits) - 1);
        return ((bucket - ((long)power << BucketBits) + 1) << power) - 1;
    }
}

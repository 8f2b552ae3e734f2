using System.Numerics;

namespace TransactionsDemo.Load;

/// <summary>
/// A distribution of durations, exact to three per cent: each power of two of microseconds has 32 buckets.
/// </summary>
internal sealed class LatencyHistogram
{
    public const int Buckets = BucketsPerPower * (64 - BucketBits);

    private const int BucketBits = 5;
    private const int BucketsPerPower = 1 << BucketBits;

    private readonly long[] _buckets = new long[Buckets];

    public TimeSpan Max { get; private set; }

    /// <summary>
    /// For each duration that occurs, in milliseconds and rising, how many are no longer.
    /// </summary>
    public IEnumerable<LatencyShare> Cumulated
    {
        get
        {
            var seen = 0L;
            for (var bucket = 0; bucket < Buckets; bucket++)
            {
                if (_buckets[bucket] > 0)
                {
                    seen += _buckets[bucket];
                    yield return new LatencyShare(Math.Min(UpperEndOf(bucket) / 1000.0, Max.TotalMilliseconds), seen);
                }
            }
        }
    }

    public void Add(TimeSpan duration)
    {
        _buckets[BucketOf(duration)]++;
        Max = duration > Max ? duration : Max;
    }

    public void Add(LatencyHistogram other)
    {
        for (var bucket = 0; bucket < Buckets; bucket++)
        {
            _buckets[bucket] += other._buckets[bucket];
        }

        Max = other.Max > Max ? other.Max : Max;
    }

    /// <summary>The duration that a given share of all durations does not exceed.</summary>
    public TimeSpan Percentile(double share)
    {
        var upperEnd = Percentile(_buckets, share);
        return upperEnd < Max ? upperEnd : Max;
    }

    /// <summary>The same, of counts by bucket: the upper end of a bucket; 0 without any.</summary>
    public static TimeSpan Percentile(long[] counts, double share)
    {
        var rank = Math.Max(1, (long)Math.Ceiling(counts.Sum() * share));
        var seen = 0L;
        for (var bucket = 0; bucket < counts.Length; bucket++)
        {
            seen += counts[bucket];
            if (seen >= rank)
            {
                return TimeSpan.FromMicroseconds(UpperEndOf(bucket));
            }
        }

        return TimeSpan.Zero;
    }

    /// <summary>
    /// Up to 32 microseconds a bucket holds one value; above, the leading bits of the value choose it.
    /// </summary>
    public static int BucketOf(TimeSpan duration)
    {
        var microseconds = (long)duration.TotalMicroseconds;
        var power = Math.Max(0, BitOperations.Log2((ulong)microseconds) - BucketBits);
        return (power << BucketBits) + (int)(microseconds >> power);
    }

    private static long UpperEndOf(int bucket)
    {
        var power = Math.Max(0, (bucket >> BucketBits) - 1);
        return ((bucket - ((long)power << BucketBits) + 1) << power) - 1;
    }
}

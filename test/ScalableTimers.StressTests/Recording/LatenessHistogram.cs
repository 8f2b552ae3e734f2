namespace ScalableTimers.StressTests.Recording;

/// <summary>A distribution of lateness in buckets 3 % wide, with constant memory. One thread adds.</summary>
internal sealed class LatenessHistogram
{
    private const int StepsPerDoubling = 24;

    private readonly long[] _counts = new long[64 * StepsPerDoubling];
    private long _count;
    private long _max;

    internal double MaxMilliseconds => StressTime.ToMilliseconds(_max);

    internal void Add(long units)
    {
        units = Math.Max(0, units);
        _counts[(int)(Math.Log2(units + 1) * StepsPerDoubling)]++;
        _count++;
        _max = Math.Max(_max, units);
    }

    /// <summary>The upper end of the bucket that contains a quantile.</summary>
    internal double Milliseconds(double share)
    {
        var (rest, i) = ((long)Math.Ceiling(_count * share), 0);
        while (i < _counts.Length - 1 && (rest -= _counts[i]) > 0)
        {
            i++;
        }

        var end = (long)Math.Pow(2, (i + 1.0) / StepsPerDoubling);
        return Math.Min(StressTime.ToMilliseconds(end), MaxMilliseconds);
    }
}

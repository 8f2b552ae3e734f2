namespace ScalableTimers.Statistics;

/// <summary>
/// What one thread has recorded about one operation. Only that thread writes to the cell, without locks; any thread may
/// read it.
/// </summary>
/// <remarks>
/// In a 64-bit process, reads and writes of 64-bit words are atomic. In a 32-bit process, a reader may see half of an
/// addition. A reader may see a duration in one figure and not yet in another. The number of durations is not stored:
/// it is the sum of the histogram.
/// </remarks>
internal sealed class OperationCell
{
    private long _total;
    private long _max;
    private long _min = long.MaxValue;
    private DurationCounts _histogram;

    internal void Add(long duration)
    {
        _total = Sum(_total, duration);
        if (duration > _max)
        {
            _max = duration;
        }

        if (duration < _min)
        {
            _min = duration;
        }

        _histogram[DurationHistogram.IndexOf(duration)]++;
    }

    /// <summary>Adds all figures to another cell, which belongs to the caller.</summary>
    internal void AddTo(OperationCell sum)
    {
        sum._total = Sum(sum._total, Volatile.Read(ref _total));
        sum._max = Math.Max(sum._max, Volatile.Read(ref _max));
        sum._min = Math.Min(sum._min, Volatile.Read(ref _min));
        for (var i = 0; i < DurationHistogram.Length; i++)
        {
            sum._histogram[i] += Volatile.Read(ref _histogram[i]);
        }
    }

    internal OperationSummary Summarize(string operation)
    {
        var count = Count();
        return new OperationSummary
        {
            Operation = operation,
            Count = count,
            TotalTime = new TimeSpan(_total),
            MaxTime = new TimeSpan(_max),
            MinTime = new TimeSpan(Math.Min(_min, _max)),
            P50Time = Percentile(count, 0.50),
            P99Time = Percentile(count, 0.99),
        };
    }

    /// <summary>The sum, or the longest duration if the sum is longer. Neither part is negative.</summary>
    private static long Sum(long total, long duration)
    {
        var sum = total + duration;
        return sum < 0 ? long.MaxValue : sum;
    }

    private long Count()
    {
        var count = 0L;
        foreach (var part in _histogram)
        {
            count += part;
        }

        return count;
    }

    private TimeSpan Percentile(long count, double share)
    {
        var rank = (long)Math.Ceiling(count * share);
        var seen = 0L;
        for (var i = 0; i < DurationHistogram.Length; i++)
        {
            seen += _histogram[i];
            if (seen >= rank)
            {
                // The middle of a step may lie beyond the only duration in it. If there are no durations, _max is zero.
                return new TimeSpan(Math.Clamp(DurationHistogram.MiddleOf(i), Math.Min(_min, _max), _max));
            }
        }

        return TimeSpan.Zero;
    }
}

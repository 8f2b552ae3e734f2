namespace ScalableTimers.Statistics;

/// <summary>
/// What one thread has recorded about one operation. Only that thread writes to the cell, without locks; any thread may
/// read it. A cell of an ended thread, or of no thread, belongs to whoever holds the statistics' lock.
/// </summary>
/// <remarks>
/// In a 32-bit process, a reader may see a torn value. A reader may see a duration in one figure and not yet in
/// another. The count is the sum of the histogram.
/// </remarks>
internal sealed class OperationCell
{
    private long _total;
    private long _max;
    private long _min = long.MaxValue;
    private DurationCounts _histogram;

    // These and the percentiles are read only from sums, to which no thread writes.
    internal long Count
    {
        get
        {
            var count = 0L;
            foreach (var part in _histogram)
            {
                count += part;
            }

            return count;
        }
    }

    internal TimeSpan TotalTime => new(_total);

    internal TimeSpan MaxTime => new(_max);

    internal TimeSpan MinTime => new(Math.Min(_min, _max));

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
        var max = Volatile.Read(ref _max);
        var min = Volatile.Read(ref _min);
        sum._total = Sum(sum._total, Volatile.Read(ref _total));
        sum._max = Math.Max(sum._max, max);
        sum._min = Math.Min(sum._min, min);

        // All other counts are zero.
        for (var i = DurationHistogram.IndexOf(min); i <= DurationHistogram.IndexOf(max); i++)
        {
            sum._histogram[i] += Volatile.Read(ref _histogram[i]);
        }
    }

    /// <summary>Forgets all figures. The cell belongs to the caller.</summary>
    internal void Clear()
    {
        _total = 0;
        _max = 0;
        _min = long.MaxValue;
        _histogram = default;
    }

    internal TimeSpan Percentile(double share)
    {
        var rank = (long)Math.Ceiling(Count * share);
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

    internal OperationSummary Summarize(string operation) => new()
    {
        Operation = operation,
        Count = Count,
        TotalTime = TotalTime,
        MaxTime = MaxTime,
        MinTime = MinTime,
        P50Time = Percentile(0.50),
        P99Time = Percentile(0.99),
    };

    /// <summary>The sum, capped at the longest duration. Neither part is negative.</summary>
    private static long Sum(long total, long duration)
    {
        var sum = total + duration;
        return sum < 0 ? long.MaxValue : sum;
    }
}

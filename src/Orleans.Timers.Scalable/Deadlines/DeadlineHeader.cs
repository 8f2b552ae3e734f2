namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>
/// Writes and reads the budget of a call: a long with whole milliseconds in its lower 32 bits and a
/// <see cref="TimeToLiveMark"/> in its upper bits.
/// </summary>
/// <remarks>Any other value under the key is ignored, wherever it comes from.</remarks>
internal static class DeadlineHeader
{
    /// <summary>A request with a longer budget runs without a deadline, and is counted.</summary>
    internal static readonly TimeSpan LongestBudget = TimeSpan.FromDays(1);

    internal static object Write(TimeSpan remaining, TimeToLiveMark mark)
    {
        // Rounded up, so that no callee sees the deadline pass early.
        var (milliseconds, rest) = Math.DivRem(remaining.Ticks, TimeSpan.TicksPerMillisecond);
        return ((long)mark.Value << 32) | Math.Min(milliseconds + (rest == 0 ? 0 : 1), uint.MaxValue);
    }

    /// <summary>Returns whether a value is a valid deadline, and its budget, which is not negative.</summary>
    internal static bool TryRead(object value, out TimeSpan budget, out TimeToLiveMark mark)
    {
        if (value is not long header || header < 0)
        {
            (budget, mark) = (default, default);
            return false;
        }

        budget = TimeSpan.FromMilliseconds(header & uint.MaxValue);
        mark = new TimeToLiveMark((int)(header >> 32));
        return budget <= LongestBudget;
    }
}

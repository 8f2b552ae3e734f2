namespace Orleans.Timers.Scalable;

/// <summary>
/// How a budget is written into a call: whole milliseconds in the lower 32 bits of a long, a <see cref="TimeToLiveMark"/> in the upper ones.
/// </summary>
/// <remarks>Anything else that is found under the key is no deadline: it must not hurt, wherever it comes from.</remarks>
internal static class DeadlineHeader
{
    internal static object Write(TimeSpan remaining, TimeToLiveMark mark)
    {
        // Rounded up, so that no callee sees the deadline pass early.
        var (milliseconds, rest) = Math.DivRem(remaining.Ticks, TimeSpan.TicksPerMillisecond);
        return ((long)mark.Value << 32) | Math.Min(milliseconds + (rest == 0 ? 0 : 1), uint.MaxValue);
    }

    /// <summary>Reads a value that may be anything.</summary>
    /// <param name="value">What was found under the key.</param>
    /// <param name="longest">A longer budget is not believed.</param>
    /// <param name="budget">Not negative.</param>
    /// <param name="mark">How the message that the value was written for keeps its time.</param>
    /// <returns>Whether there is a deadline.</returns>
    internal static bool TryRead(object value, TimeSpan longest, out TimeSpan budget, out TimeToLiveMark mark)
    {
        if (value is not long header || header < 0)
        {
            (budget, mark) = (default, default);
            return false;
        }

        budget = TimeSpan.FromMilliseconds(header & uint.MaxValue);
        mark = new TimeToLiveMark((int)(header >> 32));
        return budget <= longest;
    }
}

namespace ScalableTimers.Clock;

/// <summary>A length of time, in the units of a <see cref="Timestamp"/>.</summary>
internal readonly record struct Duration(long Units)
{
    public static bool operator <=(Duration one, Duration other) => one.Units <= other.Units;

    public static bool operator >=(Duration one, Duration other) => one.Units >= other.Units;

    public static Duration operator *(Duration duration, long count) => new(duration.Units * count);

    /// <summary>How often a duration fits into another.</summary>
    public static long operator /(Duration whole, Duration part) => whole.Units / part.Units;
}

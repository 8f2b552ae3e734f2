namespace ScalableTimers.Clock;

/// <summary>A moment: the time since a <see cref="TickClock"/> was created, in its provider's units.</summary>
internal readonly record struct Timestamp(long Units)
{
    /// <summary>A moment that never comes.</summary>
    internal static Timestamp Never => new(long.MaxValue);

    /// <summary>The last moment that comes.</summary>
    internal static Timestamp Last => new(long.MaxValue - 1);

    public static bool operator <(Timestamp one, Timestamp other) => one.Units < other.Units;

    public static bool operator >(Timestamp one, Timestamp other) => one.Units > other.Units;

    public static bool operator <=(Timestamp one, Timestamp other) => one.Units <= other.Units;

    public static bool operator >=(Timestamp one, Timestamp other) => one.Units >= other.Units;

    public static Duration operator -(Timestamp later, Timestamp earlier) => new(later.Units - earlier.Units);

    /// <summary>A moment plus a duration that is not negative: at most <see cref="Last"/>.</summary>
    public static Timestamp operator +(Timestamp moment, Duration duration)
    {
        var units = moment.Units + duration.Units;
        return units < moment.Units ? Last : new Timestamp(units);
    }
}

namespace TransactionsDemo.Timers;

/// <summary>The counts of a bank's timers.</summary>
internal readonly record struct TimerCounts
{
    public long Scheduled { get; init; }

    public long Cancelled { get; init; }

    public long Fired { get; init; }

    /// <summary>How many of the fired timers were early.</summary>
    public long FiredEarly { get; init; }

    /// <summary>The time by which the earliest timer was early.</summary>
    public TimeSpan WorstEarly { get; init; }

    /// <summary>How many have neither fired nor been cancelled.</summary>
    public long Pending => Scheduled - Cancelled - Fired;

    public static TimerCounts operator +(TimerCounts left, TimerCounts right) => new()
    {
        Scheduled = left.Scheduled + right.Scheduled,
        Cancelled = left.Cancelled + right.Cancelled,
        Fired = left.Fired + right.Fired,
        FiredEarly = left.FiredEarly + right.FiredEarly,
        WorstEarly = left.WorstEarly > right.WorstEarly ? left.WorstEarly : right.WorstEarly,
    };
}

namespace TransactionsDemo.Timers;

/// <summary>What became of a bank's timers.</summary>
internal readonly record struct TimerCounts
{
    public long Scheduled { get; init; }

    public long Cancelled { get; init; }

    public long Fired { get; init; }

    /// <summary>Of those fired, how many were called before their time.</summary>
    public long FiredEarly { get; init; }

    /// <summary>By how much the earliest of them was.</summary>
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

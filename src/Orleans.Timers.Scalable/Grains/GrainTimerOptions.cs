namespace Orleans.Timers.Scalable;

/// <summary>When a tick of a grain timer takes too long. Read once, when the silo starts.</summary>
public sealed class GrainTimerOptions
{
    private const int MostPeriods = 1000;
    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_longest = TimeSpan.FromDays(1);

    /// <summary>Gets or sets after how many of its timer's periods a tick that still runs is logged.</summary>
    /// <value>From 1 to 1,000. The default is 3.</value>
    /// <remarks>
    /// Each such tick is logged once, as a warning, and counted. A timer without a period has no overruns.
    /// </remarks>
    public int OverrunPeriods { get; set; } = 3;

    /// <summary>Gets or sets how long a tick runs at least before it is logged.</summary>
    /// <value>From 1 millisecond to 1 day. The default is 1 second.</value>
    public TimeSpan ShortestOverrun { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Gets or sets after what time the token of a tick is cancelled.</summary>
    /// <value>From 1 millisecond to 1 day. The default is null: never.</value>
    /// <remarks>
    /// The timer ticks again after its period when the callback has returned. A callback that ignores its token, or
    /// takes none, is not ended.
    /// </remarks>
    public TimeSpan? LongestTick { get; set; }

    /// <summary>How long a tick of a timer runs before it is logged; null if it never is.</summary>
    internal TimeSpan? OverrunAfter(TimeSpan period) =>
        period <= TimeSpan.Zero || period > s_longest
            ? null
            : TimeSpan.FromTicks(long.Max(period.Ticks * OverrunPeriods, ShortestOverrun.Ticks));

    /// <summary>
    /// Returns what is wrong with the values: a sentence for each error, with the property, the value and the range.
    /// </summary>
    internal IEnumerable<string> Errors()
    {
        if (OverrunPeriods is < 1 or > MostPeriods)
        {
            yield return
                $"{nameof(GrainTimerOptions)}.{nameof(OverrunPeriods)} is {OverrunPeriods}; it must be from 1 to "
                    + $"{MostPeriods}.";
        }

        if (ShortestOverrun < s_shortest || ShortestOverrun > s_longest)
        {
            yield return
                $"{nameof(GrainTimerOptions)}.{nameof(ShortestOverrun)} is {ShortestOverrun}; it must be from "
                    + $"{s_shortest} to {s_longest}.";
        }

        if (LongestTick < s_shortest || LongestTick > s_longest)
        {
            yield return
                $"{nameof(GrainTimerOptions)}.{nameof(LongestTick)} is {LongestTick}; it must be from {s_shortest} to "
                    + $"{s_longest}, or null.";
        }
    }
}

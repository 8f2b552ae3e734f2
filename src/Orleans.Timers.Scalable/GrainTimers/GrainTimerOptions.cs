namespace Orleans.Timers.Scalable;

/// <summary>When a tick of a grain timer takes too long. Read once, when the silo starts.</summary>
/// <remarks>
/// A tick that runs for three of its timer's periods, and for a second, is logged once, as a warning, and counted. A
/// timer without a period has no such ticks.
/// </remarks>
public sealed class GrainTimerOptions
{
    private const int OverrunPeriods = 3;
    private static readonly TimeSpan s_shortestOverrun = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_longest = TimeSpan.FromDays(1);

    /// <summary>Gets or sets after what time the token of a tick is cancelled.</summary>
    /// <value>From 1 millisecond to 1 day. The default is null: never.</value>
    /// <remarks>
    /// The timer ticks again after its period when the callback has returned. A callback that ignores its token, or
    /// takes none, is not ended.
    /// </remarks>
    public TimeSpan? MaxTickDuration { get; set; }

    /// <summary>How long a tick of a timer runs before it is logged; null if it never is.</summary>
    internal static TimeSpan? OverrunAfter(TimeSpan period) =>
        period <= TimeSpan.Zero || period > s_longest
            ? null
            : TimeSpan.FromTicks(long.Max(period.Ticks * OverrunPeriods, s_shortestOverrun.Ticks));

    /// <summary>Returns what is wrong with the value: the property, the value and the range.</summary>
    internal IEnumerable<string> Errors()
    {
        if (MaxTickDuration < s_shortest || MaxTickDuration > s_longest)
        {
            yield return
                $"{nameof(GrainTimerOptions)}.{nameof(MaxTickDuration)} is {MaxTickDuration}; it must be from "
                    + $"{s_shortest} to {s_longest}, or null.";
        }
    }
}

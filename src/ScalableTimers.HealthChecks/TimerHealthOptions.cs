namespace ScalableTimers.HealthChecks;

/// <summary>How late a timer must be for a health check to report it.</summary>
/// <remarks>
/// The check schedules a timer of its own and measures how long after the due time, rounded up to a tick, the code that
/// awaits it runs. So it detects a lagging driver as well as a starved thread pool.
/// </remarks>
public sealed class TimerHealthOptions
{
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(1);

    /// <summary>Gets or sets how late a timer may be before the service counts as degraded.</summary>
    /// <value>From 1 millisecond to a minute. The default is 250 milliseconds.</value>
    public TimeSpan DegradedLateness { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Gets or sets how late a timer may be before the service counts as unhealthy.</summary>
    /// <value>
    /// From <see cref="DegradedLateness"/> to a minute. The default is 5 seconds. A check takes at most two resolutions
    /// longer than this.
    /// </value>
    public TimeSpan UnhealthyLateness { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Returns one sentence for each invalid value.</summary>
    internal IEnumerable<string> Errors()
    {
        if (DegradedLateness < TimeSpan.FromMilliseconds(1) || DegradedLateness > s_longest)
        {
            yield return
                $"{nameof(TimerHealthOptions)}.{nameof(DegradedLateness)} is {DegradedLateness}; it must be from "
                    + $"{TimeSpan.FromMilliseconds(1)} to {s_longest}.";
        }

        if (UnhealthyLateness < DegradedLateness || UnhealthyLateness > s_longest)
        {
            yield return
                $"{nameof(TimerHealthOptions)}.{nameof(UnhealthyLateness)} is {UnhealthyLateness}; it must be from "
                    + $"{nameof(DegradedLateness)}, {DegradedLateness}, to {s_longest}.";
        }
    }
}

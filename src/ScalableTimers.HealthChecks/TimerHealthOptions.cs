namespace ScalableTimers.HealthChecks;

/// <summary>How late a timer must be for a health check to report it.</summary>
/// <remarks>
/// The check schedules a timer of its own and measures how much later than its due time, rounded up to a tick, the code
/// after it runs. So it sees a driver that lags as well as a thread pool that starves.
/// </remarks>
public sealed class TimerHealthOptions
{
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(1);

    /// <summary>Gets or sets how late a timer may be in a healthy service.</summary>
    /// <value>From 1 millisecond to a minute. The default is 250 milliseconds.</value>
    public TimeSpan DegradedLateness { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Gets or sets how late a timer may be in a service that is no more than degraded.</summary>
    /// <value>
    /// From <see cref="DegradedLateness"/> to a minute. The default is 5 seconds. The check takes at most two
    /// resolutions longer.
    /// </value>
    public TimeSpan UnhealthyLateness { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Returns what is wrong with the values: a sentence for each error.</summary>
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

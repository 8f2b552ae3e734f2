using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable;

/// <summary>How a silo or client treats the deadlines of calls. Read once, when it starts.</summary>
public sealed class CallDeadlineOptions
{
    private static readonly TimeSpan s_shortestLimit = TimeSpan.FromMilliseconds(1);

    /// <summary>Gets or sets the longest budget that is believed of a caller.</summary>
    /// <value>From 1 millisecond to 49 days. The default is 1 day.</value>
    /// <remarks>A request with a longer one is run as if it had no deadline, and counted.</remarks>
    public TimeSpan LongestBudget { get; set; } = TimeSpan.FromDays(1);

    /// <summary>Gets or sets whether the time that requests wait for their turn counts against their deadlines where it is known.</summary>
    /// <value>The default is true.</value>
    /// <remarks>
    /// It is known when caller and callee both have this set, keep the system's time, drop expired messages (Orleans' default) and have the
    /// same response timeout, or the method has one. It counts less 16 milliseconds for each machine that the message passed. With false,
    /// and where it is not known, a budget runs from the moment in which the request has its turn.
    /// </remarks>
    public bool CountTimeInQueues { get; set; } = true;

    /// <summary>What is wrong with the values, a sentence each that names the property, the value and the range.</summary>
    internal IEnumerable<string> Errors()
    {
        var longest = DueTime.LongestTimer;
        if (LongestBudget < s_shortestLimit || LongestBudget > longest)
        {
            yield return $"{nameof(CallDeadlineOptions)}.{nameof(LongestBudget)} is {LongestBudget}; it must be from {s_shortestLimit} to {longest}.";
        }
    }
}
